"""Type promotion: PyTorch promotes operands of different types, TensorFlow converts only Python numbers."""

from collections.abc import Mapping
from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate.abstract_value import Abstract, Sort
from porting.translate.code import Expression, build, name, names_in
from porting.translate.dialects import DIALECTS

_FLOAT_MASK: Final = m.Call(  # a comparison, as a number
    func=m.Attribute(value=m.Name("tf"), attr=m.Name("cast")),
    args=[
        m.Arg(m.Comparison() | m.BinaryOperation(operator=m.BitAnd() | m.BitOr())),
        m.Arg(m.Attribute(m.Name("tf"), m.Name("float32"))),
    ],
)


def meeting(
    to: str,
    left: Expression,
    kind: Abstract,
    right: Expression,
    other: Abstract,
    *,
    arithmetic: bool = False,
    scope: Mapping[str, Abstract] | None = None,
) -> tuple[Expression, Expression]:
    """Return two operands of types that TensorFlow accepts together: it converts only Python numbers."""
    if not DIALECTS[to].traced or not (kind.tensor or other.tensor):
        return left, right
    if kind.traced or other.traced:
        known = scope or {}
        return _length(left, kind, right, other, known), _length(right, other, left, kind, known)
    if {kind.number, other.number} == {"complex", "float"} and kind.tensor and other.tensor:
        return (_as_complex(left, right), right) if other.number == "complex" else (left, _as_complex(right, left))
    if kind.number == other.number == "float" and kind.tensor and other.tensor:
        return _retyped(left, kind, other), _retyped(right, other, kind)
    if arithmetic and kind.tensor and other.tensor and "" in (kind.number, other.number):  # of which type? Not known
        left = _as_other(left, kind, right, other) if not kind.number and other.dtype else left
        right = _as_other(right, other, left, kind) if not other.number and kind.dtype else right
        return left, right
    if kind.number in {"bool", "int"} and kind.tensor and other.number != kind.number:
        left = _as_other(left, kind, right, other)
    elif other.number in {"bool", "int"} and other.tensor and other.number != kind.number:
        right = _as_other(right, other, left, kind)
    elif arithmetic and kind.mask and other.mask:
        like = name(kind.dtype or other.dtype or "tf.float32")
        left, right = (build("tf.cast({x}, {dtype})", x=x, dtype=like) for x in (left, right))
    return left, right


def _length(
    made: Expression, kind: Abstract, beside: Expression, other: Abstract, scope: Mapping[str, Abstract]
) -> Expression:
    """Return a length, which is a number or a tensor of whole numbers, in the type of what it meets."""
    if not kind.traced or other.number != "float":
        return made
    whole = kind.number == "int"
    if whole:
        return _as_other(made, Abstract(Sort.TENSOR, "int"), beside, other)
    return _cast_lengths(made, beside, other, scope)


def _cast_lengths(made: Any, beside: Expression, other: Abstract, scope: Mapping[str, Abstract]) -> Expression:
    """Return a formula with its lengths in the type of what it meets."""
    lengths = {n for n in names_in(made) if n in scope and (scope[n].traced, scope[n].number) == (True, "int")}
    written = (m.Subscript(m.Call(m.Name("_shape")), [m.SubscriptElement(m.Index())]), m.Call(m.Name("_size")))

    def cast(node: Any, _: object) -> Expression:
        return _as_other(node, Abstract(Sort.TENSOR, "int"), beside, other)

    changed: Any = m.replace(made, m.OneOf(*written, *map(m.Name, sorted(lengths))), cast)
    return build("{made}", made=changed)


def _retyped(made: Expression, kind: Abstract, other: Abstract) -> Expression:
    """Return what has a type of its own, as ``(x > 0).float()``, in that of what it meets: PyTorch promotes it."""
    promoted = other.wide and not kind.wide
    if not other.dtype or (not promoted and (kind.dtype or kind.wide)):
        return made
    dtype = name(other.dtype)
    if m.matches(made, _FLOAT_MASK):
        mask, _ = cst.ensure_type(made, cst.Call).args
        return build("tf.cast({mask}, {dtype})", mask=mask.value, dtype=dtype)
    return build("tf.cast({x}, {dtype})", x=made, dtype=dtype)


def _as_complex(made: Expression, beside: Expression) -> Expression:
    """Return real numbers as complex ones of the type of what they meet."""
    if isinstance(beside, cst.Name):
        return build("tf.cast({x}, {beside}.dtype)", x=made, beside=beside)
    return build("tf.complex({x}, tf.zeros_like({x}))", x=made)


def _as_other(made: Expression, kind: Abstract, beside: Expression, other: Abstract) -> Expression:
    if other.sort in {Sort.STATIC, Sort.UNKNOWN} and not other.tensor:
        if other.sort is Sort.STATIC and (kind.number == "bool" or other.number == "float"):
            return _cast(made, kind.dtype or "tf.float32")
        return made
    if other.dtype:
        return _cast(made, other.dtype)
    if isinstance(beside, cst.Name):
        return _cast(made, f"{beside.value}.dtype")
    return made if not other.number else _cast(made, "tf.float32")


def _cast(made: Expression, dtype: str) -> Expression:
    """Return a tensor, or a length, in a type; a number of elements need be no number of Python for that."""
    if m.matches(made, m.Call(m.Name("_size"), [m.Arg()])):
        made = build("tf.size({x})", x=cst.ensure_type(made, cst.Call).args[0].value)
    return build("tf.cast({x}, {dtype})", x=made, dtype=name(dtype))
