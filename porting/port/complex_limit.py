"""Says where complex numbers are divided in other ways by the two frameworks: no translation changes that."""

import ast
from typing import Final

_COMPLEX: Final = {"complex", "complex64", "complex128", "conj", "imag", "real", "angle", "view_as_complex", "sgn"}
_QUOTIENTS: Final = {"divide", "pow", "reciprocal", "rsqrt", "sqrt", "true_divide"}
_SAID: Final = (
    "complex numbers: by 0, by infinity, and where a square overflows or underflows, a quotient, a power or a root is "
    "NaN or infinite in one framework alone"
)


def complex_limits(text: str) -> tuple[str, ...]:
    """Return what is to be said of a translation; nothing where it divides no complex numbers."""
    nodes = list(ast.walk(ast.parse(text)))
    attributes = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    divides = any(isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div | ast.Pow) for node in nodes)
    return (_SAID,) if attributes & _COMPLEX and (divides or attributes & _QUOTIENTS) else ()
