"""Rematerialization: finds what a gradient must compute again of the forward, because an op keeps nothing."""

from collections.abc import Iterable, Sequence
from typing import Any

import libcst as cst
from libcst import matchers as m

from porting.translate.analyse.early_returns import joined
from porting.translate.analyse.slices import changed, written
from porting.translate.code import names_in
from porting.translate.refusal import Refusal


def recomputed(body: Sequence[Any], wanted: Iterable[str]) -> list[Any]:
    """Return the statements that some variables need at the end of a forward, in order, without those that return.

    Parameters
    ----------
    body : sequence of statements
        A forward, translated.
    wanted : iterable of str
        The variables.

    Raises
    ------
    Refusal
        If one of them is computed in a loop that returns.
    """
    return _slice(joined(body), set(wanted))[0]


def _slice(body: Sequence[Any], wanted: set[str]) -> tuple[list[Any], set[str]]:
    """Return the statements, and what these read of what stands before them."""
    open_ = set(wanted)
    found: list[Any] = []
    for statement in reversed(body):
        if not changed(statement) & open_:
            continue
        if isinstance(statement, cst.If):
            made, open_ = _branches(statement, open_)
            found.insert(0, made)
            continue
        if m.findall(statement, m.Return()) and not isinstance(statement, cst.FunctionDef):
            raise Refusal("what the gradient needs is computed in a loop that returns")
        found.insert(0, statement)
        if isinstance(statement, cst.SimpleStatementLine) and _assigns_whole(statement):
            open_ -= written(statement)
        open_ |= names_in(statement) if not isinstance(statement, cst.SimpleStatementLine) else _read(statement)
    return found, open_


def _branches(statement: cst.If, wanted: set[str]) -> tuple[cst.If, set[str]]:
    """Return what is needed of each branch, and what is read before them."""
    made, read = _slice(statement.body.body, wanted)
    orelse = statement.orelse
    other = set(wanted)
    if isinstance(orelse, cst.If):
        orelse, other = _branches(orelse, wanted)
    elif orelse is not None:
        lines, other = _slice(orelse.body.body, wanted)
        orelse = cst.Else(cst.IndentedBlock(lines)) if lines else None
    block = cst.IndentedBlock(made or [cst.SimpleStatementLine([cst.Pass()])])
    return statement.with_changes(body=block, orelse=orelse), read | other | names_in(statement.test)


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
