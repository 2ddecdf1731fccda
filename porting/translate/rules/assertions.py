"""Assertions about numbers, and what is printed: PyTorch has no assertions that raise, so that a helper does."""

from collections.abc import Sequence
from typing import Any, Final

import libcst as cst

from porting.translate.abstract_value import STATIC, Sort
from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer

FINITE = Rule(
    tf=[
        "tf.debugging.check_numerics(x: tensor, message, _name: name=None)",
        "tf.debugging.assert_all_finite(x, message, _name: name=None)",
    ]
)
_V2: Final = "message=None, _summarize: summarize=None, _name: name=None"
_V1: Final = "_data: data=None, _summarize: summarize=None, message=None, _name: name=None"
_OF_TWO: Final = {
    "equal": "==", "none_equal": "!=", "greater": ">", "greater_equal": ">=", "less": "<", "less_equal": "<=",
}  # fmt: skip
_OF_ONE: Final = {"positive": "> 0", "negative": "< 0", "non_positive": "<= 0", "non_negative": ">= 0"}


def _rule(name: str, arguments: str) -> Rule:
    versions = (("tf.debugging", _V2), ("tf", _V2), ("tf.compat.v1", _V1))
    return Rule(tf=[f"{module}.assert_{name}({arguments}, {rest})" for module, rest in versions], kind=STATIC)


OF_TWO = {name: _rule(name, "x, y") for name in _OF_TWO}
OF_ONE = {name: _rule(name, "x") for name in _OF_ONE}
RANK = _rule("rank", "x, rank")
ASSERT = Rule(tf="tf.Assert(test: condition, _data: data, _summarize: summarize=None, _name: name=None)", kind=STATIC)
PRINT = Rule(tf="tf.print(*x, _stream: output_stream=None, _summarize: summarize=3, sep=' ', end='\\n')", kind=STATIC)
RULES = [FINITE, *OF_TWO.values(), *OF_ONE.values(), RANK, ASSERT, PRINT]

_ALL_FINITE = '''
def _all_finite(x, message):
    """Return x, or raise if it holds NaN or infinity."""
    if not x.isfinite().all():
        raise ValueError(message)
    return x
'''
_ASSERT: Final = '''
def _assert(holds, message):
    """Raise unless something holds everywhere."""
    if not {all}:
        raise ValueError(message)
'''
_ALL: Final = {"torch": "torch.as_tensor(holds).all()", "numpy": "np.all(holds)"}


@FINITE.writes("torch")
def _finite(w: Writer, x: Expression, message: Expression) -> Expression:
    w.helper("_all_finite", _ALL_FINITE)
    return w.build("_all_finite({x}, {message})", x=x, message=message)


def _asserted(w: Writer, test: Expression, message: Given) -> Expression:
    w.helper("_assert", _ASSERT.format(all=_ALL[w.to]))
    if message is None or w.code(message) == "None":
        said = f"{w.code(test)} does not hold"
        message = cst.SimpleString(repr(said) if '"' in said else f'"{said}"')
    return w.build("_assert({test}, {message})", test=test, message=message)


def _of_two(name: str, operator: str) -> None:
    @OF_TWO[name].writes("torch", "numpy")
    def _(w: Writer, x: Expression, y: Expression, message: Given = None) -> Expression:
        sorts = {w.kinds["x"].sort, w.kinds["y"].sort}
        if sorts <= {Sort.SHAPE, Sort.TUPLE} and operator in {"==", "!="}:
            x, y = (_tuple(w, part) for part in (x, y))
        elif sorts & {Sort.SHAPE, Sort.TUPLE}:
            raise w.refuse(f"tf.debugging.assert_{name}: a rule for two tensors, two numbers or two shapes alone")
        return _asserted(w, w.build(f"{{x}} {operator} {{y}}", x=x, y=y), message)


def _tuple(w: Writer, shape: Expression) -> Expression:
    if w.is_sequence(shape):
        return w.pair(*w.parts(shape))
    return shape if w.code(shape).endswith(".shape") else w.build("tuple({shape})", shape=shape)


def _of_one(name: str, condition: str) -> None:
    @OF_ONE[name].writes("torch", "numpy")
    def _(w: Writer, x: Expression, message: Given = None) -> Expression:
        return _asserted(w, w.build(f"{{x}} {condition}", x=x), message)


for _name, _operator in _OF_TWO.items():
    _of_two(_name, _operator)
for _name, _condition in _OF_ONE.items():
    _of_one(_name, _condition)


@RANK.writes("torch", "numpy")
def _rank(w: Writer, x: Expression, rank: Expression, message: Given = None) -> Expression:
    return _asserted(w, w.build("{x}.ndim == {rank}", x=x, rank=rank), message)


@ASSERT.writes("torch", "numpy")
def _assert(w: Writer, test: Expression) -> Expression:
    return _asserted(w, test, None)


@PRINT.writes("torch", "numpy")
def _print(w: Writer, x: Sequence[cst.BaseElement] = (), **options: Any) -> Expression:
    given = ", ".join([w.code(part) for part in x] + [f"{name}={w.code(value)}" for name, value in options.items()])
    return w.build(f"print({given})")
