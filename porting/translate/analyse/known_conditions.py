"""Takes the branch that is always taken, where a condition is a variable that is True or False for certain."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate.analyse.slices import written
from porting.translate.code import renamed, source

_TRUTH: Final = m.SimpleStatementLine([m.Assign([m.AssignTarget(m.Name())], m.Name("True") | m.Name("False"))])
_OUTCOMES: Final = {"True": True, "False": False, "not True": False, "not False": True}


def decided(body: Sequence[Any], inner: Sequence[Any] = ()) -> tuple[list[Any], list[Any]]:
    """Return the statements of a function, and of one within it, without the branches that are never taken.

    Parameters
    ----------
    body, inner : sequence of statements
        A variable counts that is assigned in one place of them only, outside every branch.
    """
    known: dict[str, cst.BaseExpression] = {}
    for statement in (*body, *inner):
        if m.matches(statement, _TRUTH):
            small: Any = cst.ensure_type(statement, cst.SimpleStatementLine).body[0]
            title = small.targets[0].target.value
            if sum(title in written(s) for s in (*body, *inner)) == 1:
                known[title] = small.value
    return _folded(body, known), _folded(inner, known)


def _folded(body: Sequence[Any], known: Mapping[str, cst.BaseExpression]) -> list[Any]:
    if not known:
        return list(body)
    return [part for statement in body for part in _parts(statement, known)]


def _parts(statement: Any, known: Mapping[str, cst.BaseExpression]) -> Sequence[Any]:
    """Return what is left of a statement: of a branch that is taken what stands in it."""
    if m.matches(statement, _TRUTH) and statement.body[0].targets[0].target.value in known:
        return [statement]
    if not isinstance(statement, cst.If):
        changed = renamed(statement, known)
        return [changed]
    outcome = _OUTCOMES.get(source(renamed(statement.test, known)))
    if outcome is None:
        block = statement.body.with_changes(body=_folded(statement.body.body, known))
        orelse: Any = statement.orelse
        if isinstance(orelse, cst.Else):
            orelse = orelse.with_changes(body=orelse.body.with_changes(body=_folded(orelse.body.body, known)))
        return [renamed(statement.with_changes(body=block, orelse=orelse), known)]
    if outcome:
        return _above(statement, _folded(statement.body.body, known))
    if isinstance(statement.orelse, cst.If):
        return _parts(statement.orelse, known)
    return _above(statement, _folded(statement.orelse.body.body, known)) if statement.orelse else []


def _above(statement: cst.If, body: list[Any]) -> list[Any]:
    """Return the statements of a branch, with the comment that stood over the question."""
    if body and hasattr(body[0], "leading_lines"):
        body[0] = body[0].with_changes(leading_lines=[*statement.leading_lines, *body[0].leading_lines])
    return body
