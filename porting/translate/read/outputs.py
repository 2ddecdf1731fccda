"""Reads what a function returns and assigns, and gives its outputs names that the gradient uses."""

from collections.abc import Sequence
from typing import Any

import libcst as cst
from libcst import matchers as m

from porting.translate.code import Expression, names_in, renamed, source
from porting.translate.ir import returned
from porting.translate.names import targets_of
from porting.translate.refusal import Refusal

Statement = cst.BaseStatement


def returns(body: Sequence[Statement]) -> list[list[Expression]]:
    """Return what each ``return`` of a function gives; not those of functions within."""
    found: list[list[Expression]] = []

    class Visitor(cst.CSTVisitor):
        def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:  # noqa: ARG002 - libcst's name
            return False

        def visit_Lambda(self, node: cst.Lambda) -> bool:  # noqa: ARG002
            return False

        def visit_Return(self, node: cst.Return) -> None:
            found.append(returned(node.value))

    for statement in body:
        statement.visit(Visitor())
    return found


def with_returns(statement: Any, change: Any) -> Any:
    """Change what each ``return`` gives."""

    class Change(cst.CSTTransformer):
        def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:  # noqa: ARG002
            return False

        def leave_Return(self, original_node: Any, updated_node: cst.Return) -> cst.Return:  # noqa: ARG002
            items = change(returned(updated_node.value))
            value = items[0] if len(items) == 1 else cst.Tuple([cst.Element(i) for i in items], lpar=[], rpar=[])
            return updated_node.with_changes(value=value)

    return statement.visit(Change())


def named_outputs(
    body: list[Statement], vjp: list[Statement], count: int, taken: set[str]
) -> tuple[list[Statement], list[str], list[Statement]]:
    """Give the outputs names that the gradient uses: those of the forward, or else new ones."""
    used = [k for k in range(count) if any(f"__output{k}__" in names_in(statement) for statement in vjp)]
    results = returns(body)
    names: list[str] = []
    for k in range(count):
        given = {source(found[k]) for found in results if isinstance(found[k], cst.Name)}
        single = len(given) == 1 and all(isinstance(found[k], cst.Name) for found in results)
        names.append(given.pop() if single else "")
    for k in range(count):
        if not names[k] or names[k] in taken:
            base = "y" if count == 1 else f"y{k}"
            names[k] = base if base not in taken | set(assigned(body)) | set(assigned(vjp)) else f"{base}_out"
    if used:
        body = [made for statement in body for made in _assigning_outputs(statement, names, used)]
        vjp = [renamed(s, {f"__output{k}__": cst.Name(names[k]) for k in used}) for s in vjp]
    return body, names if used or any(n in set().union(*map(names_in, vjp)) for n in names if n) else [], vjp


def _assigning_outputs(statement: Any, names: list[str], used: list[int]) -> list[Any]:
    """Have each ``return`` assign the outputs that the gradient uses, before it returns them."""

    class Assign(cst.CSTTransformer):
        def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:  # noqa: ARG002
            return False

        def leave_SimpleStatementLine(self, original_node: Any, updated_node: cst.SimpleStatementLine) -> Any:  # noqa: ARG002
            last = updated_node.body[-1]
            if not isinstance(last, cst.Return):
                return updated_node
            items = returned(last.value)
            before = [k for k in used if not m.matches(items[k], m.Name(names[k]))]
            made = [
                cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(cst.Name(names[k]))], items[k])]) for k in before
            ]
            items = [cst.Name(names[k]) if k in before else item for k, item in enumerate(items)]
            value = items[0] if len(items) == 1 else cst.Tuple([cst.Element(i) for i in items], lpar=[], rpar=[])
            whole = updated_node.with_changes(body=[*updated_node.body[:-1], last.with_changes(value=value)])
            if not made:
                return whole
            made[0] = made[0].with_changes(leading_lines=updated_node.leading_lines)
            return cst.FlattenSentinel([*made, whole.with_changes(leading_lines=[])])

    return list(cst.Module([statement]).visit(Assign()).body)


def count_of_outputs(body: Sequence[Statement]) -> int:
    """Return how many values a forward returns.

    Raises
    ------
    Refusal
        If that depends on its arguments.
    """
    counts = {len(found) for found in returns(body)}
    if len(counts) > 1:
        several = " or ".join(map(str, sorted(counts)))
        raise Refusal(f"the forward returns {several} outputs; let it return as many always")
    return max(counts, default=1)


class _Counter(cst.CSTVisitor):
    """Counts how often each variable is assigned, or written to in place."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}

    def _count(self, *names: str) -> None:
        for title in names:
            self.counts[title] = self.counts.get(title, 0) + 1

    def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
        self._count(node.name.value)
        return False

    def visit_AssignTarget(self, node: cst.AssignTarget) -> None:
        self._count(*targets_of(node.target))
        if isinstance(node.target, cst.Subscript) and isinstance(node.target.value, cst.Name):
            self._count(node.target.value.value)

    def visit_AugAssign(self, node: cst.AugAssign) -> None:
        target = node.target.value if isinstance(node.target, cst.Subscript) else node.target
        if isinstance(target, cst.Name):
            self._count(target.value)

    def visit_For(self, node: cst.For) -> None:
        self._count(*targets_of(node.target))

    def visit_Expr(self, node: cst.Expr) -> None:
        match node.value:  # x.mul_(2)
            case cst.Call(func=cst.Attribute(value=cst.Name(value=title), attr=attr)) if attr.value.endswith("_"):
                self._count(title)
            case cst.Call() as call:  # torch.add(y, z, out=x)
                for out in (a.value for a in call.args if a.keyword is not None and a.keyword.value == "out"):
                    self._count(*names_in(out.value if isinstance(out, cst.Subscript) else out))


def assigned(body: Sequence[Statement]) -> dict[str, int]:
    """Return how often each variable is assigned."""
    counter = _Counter()
    for statement in body:
        statement.visit(counter)
    return counter.counts


def in_order(body: Sequence[Statement]) -> list[str]:
    """Return the variables that statements assign, in order."""
    return list(assigned(body))
