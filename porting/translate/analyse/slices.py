"""Finds which variables statements assign, change in place, and read before they assign them."""

from collections.abc import Sequence
from typing import Any, Final

import libcst as cst

from porting.translate.code import names_in
from porting.translate.names import targets_of

Statement = cst.BaseStatement
_CHANGING: Final = {  # methods of lists, dicts and sets
    "append", "extend", "insert", "remove", "pop", "popitem", "clear", "sort", "reverse", "update", "setdefault",
    "add", "discard",
}  # fmt: skip


def written(statement: cst.CSTNode) -> set[str]:
    """Return the variables that a statement assigns."""
    names: set[str] = set()

    class Visitor(cst.CSTVisitor):
        def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
            names.add(node.name.value)
            return False

        def visit_AssignTarget(self, node: cst.AssignTarget) -> None:
            names.update(targets_of(node.target))

        def visit_AugAssign(self, node: cst.AugAssign) -> None:
            names.update(targets_of(node.target))

        def visit_For(self, node: cst.For) -> None:
            names.update(targets_of(node.target))

    statement.visit(Visitor())
    return names


def changed(statement: cst.CSTNode) -> set[str]:
    """Return the variables that a statement assigns, or may change in place: ``terms.append(x)``, ``fill(terms)``."""
    names = written(statement)

    class Visitor(cst.CSTVisitor):
        def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:  # noqa: ARG002 - what it does is done where it is called
            return False

        def visit_Call(self, node: cst.Call) -> None:
            match node.func:
                case cst.Attribute(value=cst.Name(value=title), attr=cst.Name(value=method)) if method in _CHANGING:
                    names.add(title)

        def visit_Expr(self, node: cst.Expr) -> None:
            match node.value:  # a call for the sake of what it does
                case cst.Call(func=cst.Name()) as call:
                    names.update(a.value.value for a in call.args if isinstance(a.value, cst.Name))

        def visit_AssignTarget(self, node: cst.AssignTarget) -> None:
            names.update(_base(node.target))

        def visit_AugAssign(self, node: cst.AugAssign) -> None:
            names.update(_base(node.target))

    statement.visit(Visitor())
    return names


def _base(target: cst.BaseExpression) -> set[str]:
    """Return the variable of which a target is a place: ``x[0]``."""
    return {target.value.value} if isinstance(target, cst.Subscript) and isinstance(target.value, cst.Name) else set()


def read_first(body: Sequence[Statement]) -> set[str]:
    """Return the variables that statements may read before they assign them: these come from elsewhere."""
    return _flow(body, set())[0]


def _flow(body: Sequence[Any], before: set[str]) -> tuple[set[str], set[str]]:
    """Return what statements read of elsewhere, and what is assigned for certain behind them."""
    assigned, found = set(before), set()
    for statement in body:
        read, assigned = _step(statement, assigned)
        found |= read
    return found, assigned


def _step(statement: Any, assigned: set[str]) -> tuple[set[str], set[str]]:
    match statement:
        case cst.SimpleStatementLine():
            read: set[str] = set()
            for small in statement.body:
                parts = [small.value, *_places(small)] if isinstance(small, cst.Assign) else [small]
                read |= set().union(*map(names_in, parts)) - assigned
                assigned = assigned | written(cst.SimpleStatementLine([small]))
            return read, assigned
        case cst.If():
            branches = [statement.body.body]
            orelse: Any = statement.orelse
            branches.append([orelse] if isinstance(orelse, cst.If) else orelse.body.body if orelse else [])
            flows = [_flow(branch, assigned) for branch in branches]
            ends = [after for branch, (_, after) in zip(branches, flows, strict=True) if not _ends(branch)]
            read = (names_in(statement.test) - assigned).union(*(found for found, _ in flows))
            return read, set.intersection(*ends) if ends else set().union(*(after for _, after in flows))
        case cst.For():
            inside = _flow(statement.body.body, assigned | set(targets_of(statement.target)))[0]
            return (names_in(statement.iter) - assigned) | inside, assigned
        case cst.While():
            return (names_in(statement.test) - assigned) | _flow(statement.body.body, assigned)[0], assigned
        case cst.FunctionDef():
            own = {p.name.value for p in statement.params.params} | {statement.name.value}
            return names_in(statement) - own - written(statement.body) - assigned, assigned | {statement.name.value}
        case _:
            return names_in(statement) - assigned, assigned | written(statement)


def _places(small: cst.Assign) -> list[cst.BaseExpression]:
    """Return the targets that are read themselves: ``x[0] = ...``."""
    return [t.target for t in small.targets if isinstance(t.target, cst.Subscript | cst.Attribute)]


def _ends(body: Sequence[Any]) -> bool:
    last = body[-1] if body else None
    return isinstance(last, cst.SimpleStatementLine) and isinstance(last.body[-1], cst.Return | cst.Raise)
