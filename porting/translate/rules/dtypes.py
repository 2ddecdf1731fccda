"""The names of types, and questions about a type."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from porting.translate.abstract_value import STATIC, WHOLE, Abstract, Sort
from porting.translate.code import Expression, Given
from porting.translate.rule import Made, Rule, Writer

# name; its kind of number; other names in PyTorch; other names in TensorFlow; PyTorch's old name of such a tensor
_TYPES: Final = (
    ("float32", "float", ("float",), (), "FloatTensor"), ("float64", "float", ("double",), ("double",), "DoubleTensor"),
    ("float16", "float", ("half",), ("half",), "HalfTensor"), ("bfloat16", "float", (), (), "BFloat16Tensor"),
    ("int32", "int", ("int",), (), "IntTensor"), ("int64", "int", ("long",), (), "LongTensor"),
    ("int16", "int", ("short",), (), "ShortTensor"), ("int8", "int", (), (), "CharTensor"),
    ("uint8", "int", (), (), "ByteTensor"), ("bool", "bool", (), (), "BoolTensor"),
    ("complex64", "complex", ("cfloat",), (), ""), ("complex128", "complex", ("cdouble",), (), ""),
)  # fmt: skip
_TRUTH = Abstract(Sort.STATIC, "bool")
OF = Rule(
    torch="Tensor.dtype",
    tf="Tensor.dtype",
    numpy="Tensor.dtype",
    kind=lambda kinds: replace(kinds["x"], sort=Sort.DTYPE, items=()),
)
SIZE = Rule(torch="Dtype.itemsize", tf="Dtype.size", numpy="Dtype.itemsize", kind=WHOLE)
FLOATING = Rule(torch="Dtype.is_floating_point", tf="Dtype.is_floating", kind=_TRUTH)
COMPLEX = Rule(torch="Dtype.is_complex", tf="Dtype.is_complex", kind=_TRUTH)
IS_FLOATING = Rule(torch=["torch.is_floating_point(x: input)"], kind=_TRUTH)
IS_COMPLEX = Rule(torch=["torch.is_complex(x: input)"], kind=_TRUTH)
INTEGER = Rule(tf="Dtype.is_integer", kind=_TRUTH)
BASE = Rule(tf="Dtype.base_dtype", kind="x")
NAME = Rule(tf="Dtype.name", kind=STATIC)
NP_TYPE = Rule(tf="Dtype.as_numpy_dtype", kind="x")
NP_NUMBER = Rule(tf="Tensor.as_numpy_dtype(x, value)", kind=Abstract(Sort.STATIC, "float"))
DEFAULT = Rule(torch="torch.get_default_dtype()", kind=Abstract(Sort.DTYPE, "float"))
PROMOTE = Rule(
    torch="torch.promote_types(x: type1, y: type2)",
    numpy="np.promote_types(x: type1, y: type2)",
    kind=lambda kinds: kinds["x"],
)
RULES = [
    *(
        Rule(
            torch=[f"torch.{name}", *(f"torch.{o}" for o in torch)],
            tf=[f"tf.{name}", f"tf.dtypes.{name}", *(f"tf.{o}" for o in tf)],
            numpy=f"np.{name}" if name != "bfloat16" else (), kind=Abstract(Sort.DTYPE, number),
        )
        for name, number, torch, tf, _ in _TYPES
    ),
    OF, SIZE, FLOATING, COMPLEX, IS_FLOATING, IS_COMPLEX, INTEGER, BASE, NAME, NP_TYPE, NP_NUMBER, DEFAULT, PROMOTE,
]  # fmt: skip


def number_of(dtype: str) -> str:
    """Return the kind of number of a type, of its name."""
    return next((number for name, number, *_ in _TYPES if name == dtype), "")


def typed_text(w: Writer, dtype: Expression, kind: Abstract) -> tuple[Any, Abstract]:
    """Return a type that is written as text, ``"float32"`` or ``"torch.FloatTensor"``, as what it names."""
    text = re.sub(r"^(torch\.)?(cuda\.)?", "", w.text(dtype))
    library = {"torch": "torch", "tf": "tf", "numpy": "np"}[w.to]
    for name, number, _, _, tensor in _TYPES:
        if text and text in {name, tensor}:
            return w.build(f"{library}.{name}"), Abstract(Sort.DTYPE, number)
    return dtype, kind


def _old(title: str, name: str, number: str) -> Rule:
    """Return the rule of ``torch.FloatTensor``: a type where it is named, a new tensor where it is called."""

    def kind(kinds: Mapping[str, Abstract]) -> Abstract:
        return Abstract(Sort.TENSOR if "x" in kinds else Sort.DTYPE, number)

    rule = Rule(torch=[f"torch.{title}", f"torch.cuda.{title}"] if title != "Tensor" else "torch.Tensor", kind=kind)

    @rule.writes("tf", "numpy")
    def _(w: Writer, x: Given = None) -> Expression:
        library, function = {"tf": ("tf", "tf.constant"), "numpy": ("np", "np.array")}[w.to]
        if x is None and title == "Tensor":
            raise w.refuse("torch.Tensor: no rule for it as a value")
        if x is None:
            return w.build(f"{library}.{name}")
        if w.kinds["x"].sort is not Sort.TUPLE:
            raise w.refuse(f"torch.{title}: a rule for a list of numbers alone; of a size its numbers are arbitrary")
        return w.build(f"{function}({{x}}, {library}.{name})", x=x)

    return rule


RULES += [_old(title, name, number) for name, number, _, _, title in _TYPES if title and name != "bfloat16"]
RULES.append(_old("Tensor", "float32", "float"))
OF.form("{x}.dtype", "torch", "tf", "numpy")
SIZE.form("{x}.size", "tf")
SIZE.form("{x}.itemsize", "torch", "numpy")
FLOATING.form("{x}.is_floating", "tf")
FLOATING.form("{x}.is_floating_point", "torch")
COMPLEX.form("{x}.is_complex", "tf", "torch")
IS_FLOATING.form("{x}.dtype.is_floating", "tf")
IS_COMPLEX.form("{x}.dtype.is_complex", "tf")
INTEGER.form("not ({x}.is_floating_point or {x}.is_complex or {x} == torch.bool)", "torch")
NP_NUMBER.form("float({value})", "torch", "numpy")


@BASE.writes("torch", "numpy")
@NP_TYPE.writes("torch", "numpy")
def _itself(w: Writer, x: Expression) -> Expression:  # noqa: ARG001 - the writer of every rule takes it
    return x


NAME.form('str({x}).removeprefix("torch.")', "torch")
DEFAULT.form("tf.float32", "tf")


@PROMOTE.writes("tf")
def _promote(w: Writer, x: Expression, y: Expression) -> Made:
    """``promote_types(x.dtype, torch.float32)``: the usual way to widen 16 bits."""
    if w.code(y) == "tf.float32":
        made = w.build("tf.float32 if {x}.size == 2 else {x}", x=x)
        return made, Abstract(Sort.DTYPE, "float", wide=w.code(made))
    raise w.refuse("torch.promote_types: a rule for torch.float32 only")
