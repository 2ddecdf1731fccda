"""New tensors filled with one number. Memory that PyTorch leaves uninitialised becomes zeros: nobody may read it."""

import re
from collections.abc import Mapping
from typing import Any

from porting.translate.abstract_value import Abstract, Sort
from porting.translate.code import Expression, Given
from porting.translate.rule import Rule, Writer

OPTIONS = (
    "dtype=None, _device: device=None, _layout: layout=None, _requires_grad: requires_grad=False, "
    "_pin_memory: pin_memory=False, _memory_format: memory_format=None"
)
_TF = "dtype=tf.float32, _name: name=None"
_EMPTY = ("zeros", "ones", "empty")
_SHAPE_OF = re.compile(r"(?:_shape|tf\.shape)\((\w+)\)|(\w+)\.shape")


def of_dtype(kinds: Mapping[str, Abstract], default: Abstract) -> Abstract:
    """Return the kind of a new tensor."""
    return kinds["dtype"].values() if "dtype" in kinds else default


def like_of(kinds: Mapping[str, Abstract]) -> Abstract:
    """Return the kind of a new tensor beside another one."""
    return of_dtype(kinds, kinds["x"])


def new_of(kinds: Mapping[str, Abstract]) -> Abstract:
    """Return the kind of a new tensor of a shape."""
    return of_dtype(kinds, Abstract(Sort.TENSOR, "float"))


def _of_value(kinds: Mapping[str, Abstract]) -> Abstract:
    return of_dtype(kinds, Abstract(Sort.TENSOR, kinds["value"].number))


def _like_rule(name: str) -> Rule:
    known = name != "empty"
    return Rule(
        torch=f"torch.{name}_like(x: input, *, {OPTIONS})",
        tf=f"tf.{name}_like(x: input, dtype=None, _name: name=None)" if known else (),
        numpy=f"np.{name}_like(x: a, dtype=None)" if known else (),
        kind=like_of,
    )


ZEROS_LIKE, ONES_LIKE, EMPTY_LIKE = (_like_rule(name) for name in _EMPTY)
FULL_LIKE = Rule(
    torch=f"torch.full_like(x: input, value: fill_value, *, {OPTIONS})",
    numpy="np.full_like(x: a, value: fill_value, dtype=None)",
    kind=like_of,
)
ZEROS, ONES, EMPTY = (
    Rule(
        torch=f"torch.{name}(*shape, {OPTIONS})",
        tf=f"tf.{name}(shape, {_TF})" if name != "empty" else (),
        numpy=f"np.{name}(shape, dtype=None)",
        kind=new_of,
    )
    for name in _EMPTY
)
FULL = Rule(
    torch=f"torch.full(shape: size, value: fill_value, *, {OPTIONS})",
    tf=["tf.fill(shape: dims, value, _name: name=None)"],
    numpy="np.full(shape, value: fill_value, dtype=None)",
    kind=_of_value,
)
NEW = [Rule(torch=f"Tensor.new_{name}(x, *shape, {OPTIONS})", kind=like_of) for name in _EMPTY]
NEW_FULL = Rule(torch=f"Tensor.new_full(x, shape: size, value: fill_value, *, {OPTIONS})", kind=like_of)
RULES = [ZEROS_LIKE, ONES_LIKE, EMPTY_LIKE, FULL_LIKE, ZEROS, ONES, EMPTY, FULL, *NEW, NEW_FULL]


def one_shape(w: Writer, shape: Any) -> Any:
    """Return one shape of ``zeros(3, 4)``, ``zeros([3, 4])`` and ``zeros(*shape, 1)``."""
    if not isinstance(shape, list | tuple):
        return shape
    if (
        len(shape) == 1
        and not w.starred(shape[0])
        and (w.kinds["shape"].sort is not Sort.STATIC or w.is_sequence(shape[0].value))
    ):
        return shape[0].value
    return w.sequence(shape)


def made_of_shape(w: Writer, function: str, shape: Expression, dtype: Given) -> Expression:
    """Write ``tf.zeros(shape, dtype)``, PyTorch's type by keyword; of the shape and type of x, ``zeros_like(x)``."""
    like = _SHAPE_OF.fullmatch(w.code(shape))
    if like and dtype is not None and w.code(dtype) == f"{like[1] or like[2]}.dtype":
        return w.build(f"{function}_like({like[1] or like[2]})")
    if dtype is None:
        return w.build(f"{function}({{shape}})", shape=shape)
    keyword = "dtype=" if w.to == "torch" else ""
    return w.build(f"{function}({{shape}}, {keyword}{{dtype}})", shape=shape, dtype=dtype)


def _library(w: Writer) -> str:
    return {"torch": "torch", "tf": "tf", "numpy": "np"}[w.to]


def _of_shape(rule: Rule, name: str) -> None:
    @rule.writes("tf", "torch", "numpy")
    def _(w: Writer, shape: Any = (), dtype: Given = None) -> Expression:
        return made_of_shape(w, f"{_library(w)}.{name}", one_shape(w, shape), dtype)


_of_shape(ZEROS, "zeros")
_of_shape(ONES, "ones")
_of_shape(EMPTY, "zeros")


@EMPTY_LIKE.writes("tf", "numpy")
def _empty_like(w: Writer, x: Expression, dtype: Given = None) -> Expression:
    function = f"{_library(w)}.zeros_like"
    if dtype is None:
        return w.build(f"{function}({{x}})", x=x)
    return w.build(f"{function}({{x}}, dtype={{dtype}})", x=x, dtype=dtype)


@FULL_LIKE.writes("tf")
def _full_like(w: Writer, x: Expression, value: Expression, dtype: Given = None) -> Expression:
    kind, number = w.kinds["x"], w.kinds["value"]
    if dtype is not None:
        return w.build("tf.fill(tf.shape({x}), {value})", x=x, value=w.in_type(value, number, dtype))
    if w.code(value) in {"0", "0.0", "1", "1.0"}:
        return w.build(f"tf.{'ones' if '1' in w.code(value) else 'zeros'}_like({{x}})", x=x)
    if number.sort is Sort.STATIC and (kind.number == "float" or number.number == kind.number == "int"):
        return w.build("{value} * tf.ones_like({x})", x=x, value=value)
    return w.build("tf.fill(tf.shape({x}), tf.cast({value}, {x}.dtype))", x=x, value=value)


@FULL.writes("tf", "torch")
def _full(w: Writer, shape: Expression, value: Expression, dtype: Given = None) -> Expression:
    if w.to == "tf":
        if dtype is not None:
            value = w.in_type(value, w.kinds["value"], dtype)
        return w.build("tf.fill({shape}, {value})", shape=shape, value=value)
    if w.kinds["value"].tensor:  # torch.full would make it single precision
        return w.build("{value}.expand({shape})", value=value, shape=shape)
    return w.build("torch.full({shape}, {value})", shape=shape, value=value)


def _new_of(rule: Rule, name: str) -> None:
    @rule.writes("tf", "numpy")
    def _(w: Writer, x: Expression, shape: Any = (), dtype: Given = None) -> Expression:
        dtype = dtype if dtype is not None else w.build("{x}.dtype", x=x)
        return made_of_shape(w, f"{_library(w)}.{name}", one_shape(w, shape), dtype)


for _rule, _name in zip(NEW, ("zeros", "ones", "zeros"), strict=True):
    _new_of(_rule, _name)


@NEW_FULL.writes("tf")
def _new_full(w: Writer, x: Expression, shape: Expression, value: Expression, dtype: Given = None) -> Expression:
    dtype = dtype if dtype is not None else w.build("{x}.dtype", x=x)
    return w.build("tf.fill({shape}, {value})", shape=shape, value=w.in_type(value, w.kinds["value"], dtype))


@NEW_FULL.writes("numpy")
def _new_full_numpy(w: Writer, x: Expression, shape: Expression, value: Expression, dtype: Given = None) -> Expression:
    dtype = dtype if dtype is not None else w.build("{x}.dtype", x=x)
    return w.build("np.full({shape}, {value}, {dtype})", shape=shape, value=value, dtype=dtype)
