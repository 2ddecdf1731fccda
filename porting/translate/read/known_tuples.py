"""Names each gradient where a ``return`` gives a tuple that was made before: ``return (*grads, None)``."""

from collections.abc import Sequence
from typing import Any

import libcst as cst
from libcst import matchers as m

from porting.translate.analyse.slices import changed
from porting.translate.code import Expression, build, name

Statement = cst.BaseStatement


def with_known_tuples(body: Sequence[Statement]) -> list[Statement]:
    """Return statements with ``return (grads[0], grads[1], None)`` for ``return (*grads, None)``.

    Parameters
    ----------
    body : sequence of statements
        Of a gradient. What it makes nowhere but as tuples of one length, and never changes, is known.
    """
    lengths: dict[str, set[int]] = {}
    for statement in body:
        statement.visit(_Lengths(lengths))
    known = {title: counts.pop() for title, counts in lengths.items() if len(counts) == 1}
    known = {title: count for title, count in known.items() if count > 0}
    made: Any = cst.Module(list(body)).visit(_Named(known))  # type: ignore[arg-type]  # statements of a function are some
    return list(made.body)


class _Lengths(cst.CSTVisitor):
    """Collects how many items each variable has; -1 is unknown."""

    def __init__(self, found: dict[str, set[int]]) -> None:
        self._found = found

    def visit_SimpleStatementLine(self, node: cst.SimpleStatementLine) -> None:
        for small in node.body:
            plain = ""
            match small:
                case cst.Assign(
                    targets=[cst.AssignTarget(target=cst.Name(value=plain))],
                    value=cst.Tuple(elements=items) | cst.List(elements=items),
                ):
                    starred = any(isinstance(item, cst.StarredElement) for item in items)
                    self._found.setdefault(plain, set()).add(-1 if starred else len(items))
            for title in changed(cst.SimpleStatementLine([small])) - {plain}:
                self._found.setdefault(title, set()).add(-1)

    def visit_For(self, node: cst.For) -> None:
        for title in changed(cst.For(node.target, node.iter, cst.IndentedBlock([]))):
            self._found.setdefault(title, set()).add(-1)


class _Named(cst.CSTTransformer):
    def __init__(self, known: dict[str, int]) -> None:
        self._known = known

    def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:  # noqa: ARG002 - what it returns is no gradient
        return False

    def leave_Return(self, original_node: Any, updated_node: cst.Return) -> cst.Return:  # noqa: ARG002
        value = updated_node.value
        return updated_node if value is None else updated_node.with_changes(value=self._items(value))

    def _items(self, value: Expression) -> Expression:
        """Return a value with the items of known tuples in their places."""
        match value:
            case cst.Name(value=title) if title in self._known:
                return cst.Tuple([cst.Element(item) for item in self._of(title)])
            case cst.Tuple() | cst.List():
                return value.with_changes(elements=[part for e in value.elements for part in self._parts(e)])
            case cst.BinaryOperation(operator=cst.Add()):
                return value.with_changes(left=self._items(value.left), right=self._items(value.right))
            case cst.Call(func=cst.Name(value="tuple" | "list"), args=[cst.Arg(value=inner, star="")]) if m.matches(
                inner, m.Name() | m.Tuple() | m.List()
            ):
                return self._items(inner)
            case _:
                return value

    def _parts(self, element: Any) -> list[Any]:
        if isinstance(element, cst.StarredElement) and isinstance(element.value, cst.Name):
            count = self._known.get(element.value.value)
            return [element] if count is None else [cst.Element(item) for item in self._of(element.value.value)]
        return [element]

    def _of(self, title: str) -> list[Expression]:
        return [build(f"{{x}}[{k}]", x=name(title)) for k in range(self._known[title])]
