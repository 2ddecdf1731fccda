"""Rematerialization: finds what a gradient must compute again of the forward, because an op keeps nothing."""

from collections.abc import Sequence
from typing import Any

import libcst as cst
from libcst import matchers as m

from porting.translate.analyse.slices import written
from porting.translate.code import names_in
from porting.translate.refusal import Refusal


def recomputed(body: Sequence[Any], wanted: set[str]) -> list[Any]:
    """Return the statements that some variables need at the end of a body, in order."""
    open_ = set(wanted)
    found: list[Any] = []
    for statement in reversed(body):
        if not written(statement) & open_:
            continue
        if m.findall(statement, m.Return()) and not isinstance(statement, cst.FunctionDef):
            raise Refusal("what the gradient needs is computed where the forward returns")
        found.insert(0, statement)
        if isinstance(statement, cst.SimpleStatementLine) and _assigns_whole(statement):
            open_ -= written(statement)
        open_ |= names_in(statement) if not isinstance(statement, cst.SimpleStatementLine) else _read(statement)
    return found


def _assigns_whole(statement: cst.SimpleStatementLine) -> bool:
    small = statement.body[0]
    return isinstance(small, cst.Assign) and all(isinstance(t.target, cst.Name | cst.Tuple) for t in small.targets)


def _read(statement: cst.SimpleStatementLine) -> set[str]:
    small = statement.body[0]
    return names_in(small.value) if isinstance(small, cst.Assign) and _assigns_whole(statement) else names_in(small)


def bare(statement: Any) -> Any:
    """Return a statement that is already in the forward, without its comments."""
    plain = statement.with_changes(leading_lines=[])
    if not isinstance(plain, cst.SimpleStatementLine):
        return plain
    return plain.with_changes(trailing_whitespace=cst.TrailingWhitespace())
