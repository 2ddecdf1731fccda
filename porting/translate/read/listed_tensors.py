"""Names each tensor of a list that a forward fills line by line and saves: ``save_for_backward(*saved)``."""

from collections.abc import Sequence
from typing import Any

import libcst as cst
from libcst import matchers as m

from porting.translate.code import Expression, names_in

Statement = cst.BaseStatement


def with_listed(body: Sequence[Statement], ctx: str) -> list[Statement]:
    """Return a forward with ``saved_0 = x`` for ``saved.append(x)``, and ``save_for_backward(saved_0)``.

    Parameters
    ----------
    body : sequence of statements
        Of a forward. A list that it fills or reads in any other way, or in a branch or a loop, is left as it is.
    ctx : str
        What it calls the context.
    """
    saved = m.Call(
        m.Attribute(m.Name(ctx), m.Name("save_for_backward")),
        args=[m.ZeroOrMore(), m.Arg(m.Name(), star="*"), m.ZeroOrMore()],
    )
    calls: Any = [found for statement in body for found in m.findall(statement, saved)]
    made = list(body)
    for title in sorted({a.value.value for call in calls for a in call.args if a.star == "*"}):
        made = _named(made, title) or made
    return made


def _named(body: Sequence[Statement], title: str) -> list[Statement] | None:
    """Return the statements with a variable for each item of a list; nothing if not all that is done to it is seen."""
    taken = set().union(*map(names_in, body))
    items: list[str] | None = None
    made: list[Statement] = []
    for statement in body:
        if title not in names_in(statement):
            made.append(statement)
            continue
        added = _added(statement, title, first=items is None)
        if added is not None:
            for value in added:
                items = [*(items or []), _free(f"{title}_{len(items or [])}", taken)]
                line = cst.Assign([cst.AssignTarget(cst.Name(items[-1]))], value)
                made.append(cst.SimpleStatementLine([line]))
            items = items or []
        elif items is not None and isinstance(statement, cst.SimpleStatementLine):
            made.append(_with_items(statement, title, items))
            if title in names_in(made[-1]):
                return None
        else:
            return None
    return made


def _added(statement: Statement, title: str, *, first: bool) -> list[Expression] | None:
    """Return what a line adds to the list, or begins it with; nothing if it does something else."""
    match statement:
        case cst.SimpleStatementLine(
            body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))], value=cst.List() as value)]
        ) if name == title and first:
            return _items(value, title)
        case cst.SimpleStatementLine(
            body=[cst.AugAssign(target=cst.Name(value=name), operator=cst.AddAssign(), value=cst.List() as value)]
        ) if name == title and not first:
            return _items(value, title)
        case cst.SimpleStatementLine(
            body=[
                cst.Expr(
                    value=cst.Call(
                        func=cst.Attribute(value=cst.Name(value=name), attr=cst.Name(value="append")),
                        args=[cst.Arg(value=value, star="", keyword=None)],
                    )
                )
            ]
        ) if name == title and not first and title not in names_in(value):
            return [value]
    return None


def _items(value: cst.List, title: str) -> list[Expression] | None:
    plain = all(isinstance(e, cst.Element) for e in value.elements) and title not in names_in(value)
    return [e.value for e in value.elements] if plain else None


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name = f"{name}_"
    taken.add(name)
    return name


def _with_items(statement: cst.SimpleStatementLine, title: str, items: Sequence[str]) -> Any:
    """Return a line with the items of a list in the place of ``*saved``."""

    class Put(cst.CSTTransformer):
        def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: ARG002
            given: list[cst.Arg] = []
            for argument in updated_node.args:
                listed = argument.star == "*" and m.matches(argument.value, m.Name(title))
                given += [cst.Arg(cst.Name(n)) for n in items] if listed else [argument]
            return updated_node.with_changes(args=given)

    return statement.visit(Put())
