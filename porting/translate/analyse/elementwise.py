"""Finds what is done to each element by itself: there it does not matter whether a mask comes before or behind."""

from typing import Any, Final

import libcst as cst

from porting.translate.code import Expression, same

_FUNCTIONS: Final = {
    "abs", "absolute", "acos", "acosh", "add", "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctanh",
    "asin", "asinh", "atan", "atan2", "atanh", "bool", "ceil", "clamp", "clamp_max", "clamp_min", "clip", "clone",
    "contiguous", "copysign", "cos", "cosh", "cpu", "cuda", "detach", "digamma", "div", "divide", "double", "eq",
    "erf", "erfc", "erfinv", "exp", "exp2", "expm1", "float", "float_power", "floor", "fmod", "frac", "full_like",
    "ge", "gt", "half", "hypot", "int", "isfinite", "isinf", "isnan", "le", "lerp", "lgamma", "log", "log10",
    "log1p", "log2", "logit", "long", "lt", "maximum", "minimum", "mul", "multiply", "nan_to_num", "ne", "neg",
    "negative", "ones_like", "pow", "reciprocal", "relu", "remainder", "round", "rsqrt", "sgn", "sigmoid", "sign",
    "sin", "sinh", "softplus", "sqrt", "square", "sub", "subtract", "tan", "tanh", "to", "true_divide", "trunc",
    "type", "type_as", "where", "zeros_like",
}  # fmt: skip


def without_mask(value: Expression, mask: Expression) -> Expression | None:
    """Return ``y * 2`` for ``y[mask] * 2``; nothing where no element has the mask, or other elements matter too."""
    found = _Whole(mask)
    whole = value.visit(found)
    return whole if found.left and not found.mixed and isinstance(whole, cst.BaseExpression) else None


class _Whole(cst.CSTTransformer):
    def __init__(self, mask: Expression) -> None:
        self._mask = mask
        self._mixing = 0  # operations around that may look at several elements
        self.left = self.mixed = False

    def on_visit(self, node: cst.CSTNode) -> bool:
        self._mixing += _mixes(node)
        return super().on_visit(node)

    def on_leave(self, original_node: Any, updated_node: Any) -> Any:
        self._mixing -= _mixes(original_node)
        return super().on_leave(original_node, updated_node)

    def leave_Subscript(self, original_node: cst.Subscript, updated_node: cst.Subscript) -> Expression:
        part = original_node.slice[0].slice
        if len(original_node.slice) == 1 and isinstance(part, cst.Index) and same(part.value, self._mask):
            self.left = True
            self.mixed |= self._mixing > 0
            return updated_node.value
        return updated_node


def _mixes(node: cst.CSTNode) -> bool:
    """Whether an operation may look at several elements, or at their number."""
    match node:
        case cst.Call(func=cst.Name(value=title)) | cst.Attribute(attr=cst.Name(value=title)):
            return title.rstrip("_") not in _FUNCTIONS
        case cst.Call(func=cst.Attribute(attr=cst.Name(value=title))):
            return title.rstrip("_") not in _FUNCTIONS
        case cst.BinaryOperation(operator=operator):
            return isinstance(operator, cst.MatrixMultiply)
        case _:
            return isinstance(node, cst.Call | cst.Subscript | cst.ListComp | cst.Lambda)
