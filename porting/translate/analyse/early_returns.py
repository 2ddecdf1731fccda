"""Puts what follows a branch that returns into the other branch, and leaves out the returns."""

from collections.abc import Sequence
from typing import Any

import libcst as cst
from libcst import matchers as m


def joined(body: Sequence[Any]) -> list[Any]:
    """Return the statements of a function that returns early, as they run one after the other to the end.

    Parameters
    ----------
    body : sequence of statements
        Of a function; those in ``if`` may return, those of loops are left as they are.
    """
    made: list[Any] = []
    for n, statement in enumerate(body):
        if isinstance(statement, cst.SimpleStatementLine) and isinstance(statement.body[-1], cst.Return | cst.Raise):
            before = statement.body[:-1]
            return [*made, statement.with_changes(body=before)] if before else made
        if isinstance(statement, cst.If) and m.findall(statement, m.Return()):
            return [*made, _with_rest(statement, body[n + 1 :])]
        made.append(statement)
    return made


def _with_rest(statement: cst.If, rest: Sequence[Any]) -> cst.If:
    """Return a branching with what follows it in each of its branches, up to where that returns."""
    orelse = statement.orelse
    other: cst.If | cst.Else | None
    if isinstance(orelse, cst.If):
        other = _with_rest(orelse, rest)
    else:
        lines = joined([*(orelse.body.body if orelse else ()), *rest])
        other = cst.Else(cst.IndentedBlock(lines)) if lines else None
    block = joined([*statement.body.body, *rest])
    return statement.with_changes(
        body=cst.IndentedBlock(block or [cst.SimpleStatementLine([cst.Pass()])]), orelse=other
    )
