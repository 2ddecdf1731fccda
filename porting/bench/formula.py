"""The kernels of a formula: what an array library calls, one after the other, to compute it.

A formula is Python: assignments, then what comes out. Each different expression of it is one kernel, however often it
is written. A scalar costs nothing. A pass of arithmetic is made in place where an operand of it was made by the formula
and is not needed any more.
"""

import ast
from collections.abc import Collection, Iterator, Mapping
from typing import Final

UNARY, BINARY, REDUCTION = "unary", "binary", "reduction"  # passes over memory: read one, write one; read two; read one
IN_PLACE: Final = " in place"  # follows the first two
ARITHMETIC: Final = frozenset({
    "abs", "clip", "copysign", "hardshrink", "leaky_relu_backward", "maximum", "minimum", "round", "rsqrt",
    "sigmoid_backward", "sign", "sqrt", "where",
})  # fmt: skip
REDUCTIONS: Final = frozenset({"amax", "sum"})
# What costs more than the memory, or is one kernel in a framework where the formula has several.
DEAR: Final = frozenset({
    "arctanh", "cos", "exp", "expm1", "gelu", "gelu_backward", "log", "log1p", "logaddexp", "mish", "mish_backward",
    "sigmoid", "silu", "silu_backward", "sin", "softplus", "softplus_backward", "tanh",
})  # fmt: skip

_Key = tuple[object, ...] | str  # of an expression that is an array; two that are equal are computed once


def kernels(text: str, arrays: Collection[str]) -> tuple[str, ...]:
    """Return the kernels of a formula, in their order.

    Parameters
    ----------
    text : str
        Such as ``"s = sin(x); s * s"``.
    arrays : collection of str
        The names that are arrays; all others are scalars.

    Raises
    ------
    ValueError
        If it is no such formula.

    Examples
    --------
    >>> kernels("2 * (sin(x) * dy)", {"x", "dy"})
    ('sin', 'binary in place', 'unary in place')
    """
    try:
        statements = ast.parse(text).body
    except SyntaxError as error:
        raise ValueError(f"{text!r} is no Python: {error.msg}") from None
    reader = _Reader(arrays)
    outputs: list[_Key | None] = []
    for statement in statements:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                reader.known[name] = reader.key(value)
            case ast.Expr(value=ast.Tuple(elts=values)):
                outputs = [reader.key(value) for value in values]
            case ast.Expr(value=value):
                outputs = [reader.key(value)]
            case _:
                raise ValueError(f"{ast.unparse(statement)!r} is neither an assignment nor an expression")
    return tuple(_where_it_writes(reader.found, outputs))


def _where_it_writes(found: Mapping[_Key, str], outputs: Collection[_Key | None]) -> Iterator[str]:
    """Yield the kernels, and which of them write over an operand."""
    made = list(found)
    for place, (key, kernel) in enumerate(found.items()):
        later = {part for other in made[place + 1 :] for part in other}
        free = [part for part in key[1:] if part in found and part not in later and part not in outputs]
        yield kernel + IN_PLACE if free and kernel in {UNARY, BINARY} else kernel


class _Reader:
    """The expressions of one formula."""

    def __init__(self, arrays: Collection[str]) -> None:
        self.known: dict[str, _Key | None] = {name: name for name in arrays}
        self.found: dict[_Key, str] = {}

    def key(self, node: ast.expr) -> _Key | None:
        """Return what an expression is known by, nothing if it is a scalar."""
        match node:
            case ast.Constant():
                return None
            case ast.Name(id=name):
                return self.known.get(name)
            case ast.UnaryOp(op=op, operand=operand):
                return self._made(type(op).__name__, [operand])
            case ast.BinOp(left=left, op=op, right=right):
                return self._made(type(op).__name__, [left, right])
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return self._made(type(op).__name__, [left, right])
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in ARITHMETIC | REDUCTIONS | DEAR:
                return self._made(name, args)
        raise ValueError(f"{ast.unparse(node)!r} is no kernel that is known")

    def _made(self, what: str, operands: list[ast.expr]) -> _Key | None:
        keys = [self.key(operand) for operand in operands]
        arrays = {key for key in keys if key is not None}
        if not arrays:
            return None
        made = (what, *(ast.unparse(o) if k is None else k for o, k in zip(operands, keys, strict=True)))
        passes = UNARY if len(arrays) == 1 else BINARY
        kernel = what if what in DEAR else REDUCTION if what in REDUCTIONS else passes
        self.found.setdefault(made, kernel)
        return None if what in REDUCTIONS else made
