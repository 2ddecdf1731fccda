"""Finds whether code in NumPy and SciPy returns an array of the shape of its argument: TensorFlow can be told then."""

from collections.abc import Collection, Sequence
from typing import Any, Final

import libcst as cst

from porting.translate.code import names_in
from porting.translate.names import dotted, targets_of

# What is done to each element by itself.
_NUMPY: Final = {
    "abs", "absolute", "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctanh", "array", "asarray", "ceil",
    "clip", "cos", "cosh", "exp", "expm1", "floor", "isfinite", "isinf", "isnan", "log", "log10", "log1p", "log2",
    "maximum", "minimum", "nan_to_num", "negative", "ones_like", "power", "reciprocal", "rint", "round", "sign", "sin",
    "sinh", "sqrt", "square", "tan", "tanh", "where", "zeros_like",
}  # fmt: skip
_SCIPY: Final = {
    "beta", "betainc", "betaln", "digamma", "ellipe", "ellipk", "erf", "erfc", "erfcinv", "erfcx", "erfinv", "exp1",
    "expi", "expit", "gamma", "gammainc", "gammaincc", "gammaln", "hyp1f1", "hyp2f1", "i0", "i0e", "i1", "i1e", "iv",
    "ive", "j0", "j1", "jn", "jv", "k0", "k0e", "k1", "k1e", "kn", "kv", "kve", "log_ndtr", "loggamma", "logit", "ndtr",
    "ndtri", "polygamma", "psi", "xlog1py", "xlogy", "y0", "y1", "yn", "yv", "zeta",
}  # fmt: skip


def keeps_shape(body: Sequence[Any], x: str, statics: Collection[str]) -> bool:
    """Whether a function of one array returns one of the same shape for sure.

    Parameters
    ----------
    body : sequence of statements
        Of the function, in NumPy.
    x : str
        Its argument.
    statics : collection of str
        Numbers of Python that it reads from around it.
    """
    found = _Values()
    for statement in body:
        statement.visit(found)
    known = {x}
    for _ in found.assigned:
        known |= {n for n, values in found.assigned.items() if all(v and _is_each(v, known, statics) for v in values)}
    values = [*found.returned, *found.assigned.get(x, ())]
    return bool(found.returned) and all(value and _is_each(value, known, statics) for value in values)


class _Values(cst.CSTVisitor):
    """Collects what is assigned to each variable, and what is returned; nothing for what is not seen."""

    def __init__(self) -> None:
        super().__init__()
        self.assigned: dict[str, list[Any]] = {}
        self.returned: list[Any] = []

    def visit_Assign(self, node: cst.Assign) -> None:
        for target in node.targets:
            plain = isinstance(target.target, cst.Name)
            for title in [*targets_of(target.target), *(() if plain else names_in(target.target))]:
                self.assigned.setdefault(title, []).append(node.value if plain else None)

    def visit_AugAssign(self, node: cst.AugAssign) -> None:
        for title in names_in(node.target):
            self.assigned.setdefault(title, []).append(None)

    def visit_For(self, node: cst.For) -> None:
        for title in targets_of(node.target):
            self.assigned.setdefault(title, []).append(None)

    def visit_Return(self, node: cst.Return) -> None:
        self.returned.append(node.value)


def _is_each(node: Any, known: Collection[str], statics: Collection[str]) -> bool:
    """Whether a value has one element for each of the array."""
    match node:
        case cst.Name(value=title):
            return title in known
        case (
            cst.UnaryOperation(expression=inner)
            | cst.Call(func=cst.Attribute(value=inner, attr=cst.Name(value="astype")))
        ):
            return _is_each(inner, known, statics)
        case cst.BinaryOperation(left=left, right=right, operator=operator):
            return not isinstance(operator, cst.MatrixMultiply) and _of_both([left, right], known, statics)
        case cst.Comparison(left=left, comparisons=[part]):
            return _of_both([left, part.comparator], known, statics)
        case cst.Call(func=func, args=args) if _is_function(dotted(func)):
            return _of_both([a.value for a in args if a.keyword is None and not _is_type(a.value)], known, statics)
        case _:
            return False


def _of_both(parts: Sequence[Any], known: Collection[str], statics: Collection[str]) -> bool:
    """Whether some operands are arrays of that shape, and numbers, and not numbers alone."""
    arrays = [part for part in parts if _is_each(part, known, statics)]
    rest = [part for part in parts if part not in arrays]
    return bool(arrays) and all(names_in(part) <= {*statics, "np", "math"} for part in rest)


def _is_function(path: str) -> bool:
    library, _, title = path.rpartition(".")
    known = {"np": _NUMPY, "numpy": _NUMPY, "scipy.special": _SCIPY, "special": _SCIPY}
    return title in known.get(library, ())


def _is_type(node: cst.CSTNode) -> bool:
    """Whether an argument is a type: ``x.dtype``, ``np.float32``."""
    path = dotted(node) if isinstance(node, cst.Attribute) else ""
    return path.endswith(".dtype") or path.startswith(("np.float", "np.int"))
