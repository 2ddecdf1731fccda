"""Types: one cast in TensorFlow, a dozen spellings in PyTorch."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from porting.translate.abstract_value import TENSOR, Abstract, Sort
from porting.translate.code import Expression, Given
from porting.translate.rule import Made, Rule, Writer
from porting.translate.rules.dtypes import number_of, typed_text

_HERE: Final = ("cpu", "cuda", "mps", "xpu", "meta")


def _to(kinds: Mapping[str, Abstract]) -> Abstract:
    """Return the kind of ``x.to(...)``: of a type, of another tensor's type, or as it was on another device."""
    given = kinds.get("second", kinds.get("first", Abstract()))
    return given.values() if given.sort is Sort.DTYPE or given.tensor else kinds["x"]


CAST = Rule(
    tf=[
        "tf.cast(x, dtype, _name: name=None)",
        "tf.dtypes.cast(x, dtype, _name: name=None)",
        "tf.raw_ops.Cast(x, dtype: DstT)",
    ],
    kind=lambda kinds: kinds["dtype"].values(),
)
TO = Rule(
    torch=(
        "Tensor.to(x, first: dtype=None, second: dtype=None, _non_blocking: non_blocking=False, _copy: copy=False, *, "
        "_device: device=None, _memory_format: memory_format=None)"
    ),
    kind=_to,
)
TYPE = Rule(torch="Tensor.type(x, first: dtype=None, _non_blocking: non_blocking=False)", kind=_to)
TYPE_AS = Rule(torch="Tensor.type_as(x, other)", kind=lambda kinds: kinds["other"].values())
BITS = Rule(
    tf=["tf.bitcast(x: input, dtype: type, _name: name=None)"],
    kind=lambda kinds: kinds["dtype"].values(),
)
_NAMED = (
    ("float", "float32"), ("double", "float64"), ("half", "float16"), ("bfloat16", "bfloat16"), ("int", "int32"),
    ("long", "int64"), ("short", "int16"), ("char", "int8"), ("byte", "uint8"), ("bool", "bool"),
)  # fmt: skip


def _named(method: str, dtype: str) -> Rule:
    rule = Rule(
        torch=f"Tensor.{method}(x, _memory_format: memory_format=None)",
        kind=Abstract(Sort.TENSOR, number_of(dtype)),
    )

    @rule.writes("tf")
    def _(w: Writer, x: Expression) -> Made:
        mask = w.kinds["x"]
        if method == "float" and mask.mask and mask.like:  # a number for a mask: it meets any type in PyTorch
            made = w.build(f"tf.cast({{x}}, {mask.like}.dtype)", x=x)
            return made, Abstract(Sort.TENSOR, "float", mask.like)
        return w.build(f"tf.cast({{x}}, tf.{dtype})", x=x)

    if dtype != "bfloat16":  # NumPy has none

        @rule.writes("numpy")
        def _(w: Writer, x: Expression) -> Expression:
            return w.build(f"{{x}}.astype(np.{dtype})", x=x)

    return rule


RULES = [CAST, TO, TYPE, TYPE_AS, BITS, *(_named(*row) for row in _NAMED)]


@CAST.writes("torch")
def _cast(w: Writer, x: Expression, dtype: Expression) -> Made:
    dtype, kind = typed_text(w, dtype, w.kinds["dtype"])
    kind = kind.values()
    if (
        w.kinds["x"].sort in {Sort.UNKNOWN, Sort.STATIC} and "rest" in w.general
    ):  # of a number TensorFlow makes float32 first
        return w.build("torch.as_tensor({x}).to({dtype})", x=x, dtype=dtype), kind
    if w.kinds["x"].sort in {Sort.STATIC, Sort.SHAPE, Sort.TUPLE}:
        return w.build("torch.tensor({x}, dtype={dtype})", x=x, dtype=dtype), kind
    if w.kinds["x"].sort is Sort.UNKNOWN:  # a tensor or a number
        return w.build("torch.as_tensor({x}, dtype={dtype})", x=x, dtype=dtype), kind
    return w.build("{x}.to({dtype})", x=x, dtype=dtype), kind


@CAST.writes("numpy")
def _cast_numpy(w: Writer, x: Expression, dtype: Expression) -> Made:
    dtype, kind = typed_text(w, dtype, w.kinds["dtype"])
    kind = kind.values()
    if w.kinds["x"].sort in {Sort.STATIC, Sort.SHAPE, Sort.TUPLE}:
        return w.build("np.array({x}, {dtype})", x=x, dtype=dtype), kind
    return w.build("{x}.astype({dtype})", x=x, dtype=dtype), kind


@TYPE.writes("tf", "numpy")
def _type(w: Writer, x: Expression, first: Given = None) -> Made:
    """Write ``x.type(dtype)``; ``x.type()`` is the type itself."""
    if first is None:
        return w.build("{x}.dtype", x=x), replace(w.kinds["x"], sort=Sort.DTYPE, items=())
    return _in_type(w, x, first)


@TO.writes("tf", "numpy")
def _in_type(w: Writer, x: Expression, first: Given = None, second: Given = None) -> Made:
    """Write ``x.to(dtype)``, ``x.to(other)``, ``x.to(device, dtype)``; ``x.to(device)`` is x."""
    cast = {"tf": "tf.cast({x}, {dtype})", "numpy": "{x}.astype({dtype})"}[w.to]
    before = w.kinds["x"] if w.kinds["x"].tensor else TENSOR
    dtype, name = (second, "second") if second is not None else (first, "first")
    kind = w.kinds.get(name, Abstract())
    if dtype is None or kind.sort is Sort.DEVICE or w.text(dtype).partition(":")[0] in _HERE:
        return x, before
    dtype, kind = typed_text(w, dtype, kind)
    if kind.tensor:
        dtype = w.build("{dtype}.dtype", dtype=dtype)
    elif kind.sort is not Sort.DTYPE:
        raise w.refuse(".to(): is it a type or a device? Not known here")
    return w.build(cast, x=x, dtype=dtype), kind.values()


TYPE_AS.form("tf.cast({x}, {other}.dtype)", "tf")
TYPE_AS.form("{x}.astype({other}.dtype)", "numpy")


@BITS.writes("torch")
def _bits(w: Writer, x: Expression, dtype: Expression) -> Expression:
    w.note("tf.bitcast: between types of one size; of others the shapes would differ.")
    return w.build("{x}.view({dtype})", x=x, dtype=dtype)
