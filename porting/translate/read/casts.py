"""Looks through casts and assignments: finds the parameter that an expression is, apart from its type."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate.code import Expression, is_none, names_in, same, source
from porting.translate.names import Names
from porting.translate.read.signatures import body_of

Statement = cst.BaseStatement


_CASTS: Final = {"to", "type", "type_as", "float", "double", "contiguous", "clone"}
_WHOLE: Final = re.compile(r"\b(u?int\d*|long|short|bool)\b")  # a cast to one of these has no derivative
_SAME: Final = {"tf.cast", "tf.convert_to_tensor", "tf.identity", "torch.as_tensor"}


def without_cast(node: Expression, names: Names) -> Expression | None:
    """Return what an expression changes the type of; nothing if it does more."""
    if isinstance(node, cst.Call) and _WHOLE.search(source(node)):
        return None
    match node:
        case cst.Call(func=cst.Attribute(value=value, attr=attr)) if attr.value in _CASTS and not names.path(node.func):
            return value
        case cst.Call(func=func, args=[first, *_]) if names.path(func) in _SAME and not first.star:
            return first.value
        case cst.Call(func=cst.Name(value=title), args=[first]) if _casts(names.defined.get(title), names):
            return first.value
        case cst.IfExp(body=body, orelse=orelse):
            ends = [without_cast(side, names) or side for side in (body, orelse)]
            return ends[0] if same(*ends) else None
        case _:
            return None


def _casts(node: Any, names: Names) -> bool:
    """Whether a function changes the type of its argument, and nothing else."""
    if not isinstance(node, cst.FunctionDef) or len(node.params.params) != 1:
        return False
    body = body_of(node)
    if len(body) != 1 or not m.matches(body[0], m.SimpleStatementLine([m.Return(value=m.DoNotCare())])):
        return False
    inner: Any = body[0].body[0].value  # type: ignore[attr-defined]
    while inner is not None and not isinstance(inner, cst.Name):
        inner = without_cast(inner, names)
    return inner is not None and inner.value == node.params.params[0].name.value


class Peel:
    """Finds the parameter that an expression is, apart from its type."""

    def __init__(self, names: Names, before: Sequence[Statement]) -> None:
        self._names = names
        self.assigned: dict[str, list[Expression | None]] = {}
        for statement in before:
            for title, value in assignments(statement):
                self.assigned.setdefault(title, []).append(value)

    def origin(self, node: Expression | None, before: int | None = None) -> str:
        """Return the name of the parameter, or nothing."""
        while node is not None and not isinstance(node, cst.Name):
            node = without_cast(node, self._names)
        if node is None:
            return ""
        values = self.assigned.get(node.value, [])[:before]
        if not values:
            return node.value
        last = values[-1]
        if last is not None and node.value in names_in(last):  # x = tf.convert_to_tensor(x)
            return self.origin(last, len(values) - 1) if len(values) == 1 else ""
        return self.origin(last)


def assignments(statement: Statement, *, inside: bool = False) -> Iterator[tuple[str, Expression | None]]:
    """Yield what a statement assigns, and its value where that is written out; `inside` branches too, if asked."""
    found: list[tuple[str, Expression | None]] = []
    plain = inside or isinstance(statement, cst.SimpleStatementLine)

    class Visitor(cst.CSTVisitor):
        def visit_Assign(self, node: cst.Assign) -> None:
            for target in node.targets:
                found.extend(_parts(target.target, node.value if plain else None))

        def visit_AugAssign(self, node: cst.AugAssign) -> None:
            found.extend(_parts(node.target, None))

        def visit_For(self, node: cst.For) -> None:
            found.extend(_parts(node.target, None))

    statement.visit(Visitor())
    yield from found


def always_none(statements: Sequence[Statement]) -> set[str]:
    """Return the variables that are assigned None, in whatever branch, and nothing else."""
    found: dict[str, list[Expression | None]] = {}
    for statement in statements:
        for title, value in assignments(statement, inside=True):
            found.setdefault(title, []).append(value)
    return {title for title, values in found.items() if all(v is not None and is_none(v) for v in values)}


def _parts(target: Any, value: Expression | None) -> Iterator[tuple[str, Expression | None]]:
    if isinstance(target, cst.Name):
        yield target.value, value
    elif isinstance(target, cst.Tuple | cst.List):
        written = isinstance(value, cst.Tuple) and len(value.elements) == len(target.elements)
        for n, element in enumerate(target.elements):
            yield from _parts(element.value, value.elements[n].value if written else None)  # type: ignore[union-attr]
