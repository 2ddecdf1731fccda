"""Leaves out what is computed and never read."""

from collections.abc import Iterable, Sequence
from typing import Any

import libcst as cst

from porting.translate.analyse.copy_propagation import handed_on
from porting.translate.analyse.slices import changed, written
from porting.translate.code import names_in
from porting.translate.names import targets_of


def without_dead(body: Sequence[Any], wanted: Iterable[str] = ()) -> list[Any]:
    """Leave out what is computed and never read.

    Parameters
    ----------
    body : sequence of statements
        Of one function, translated: an expression has no other effect than its value.
    wanted : iterable of str
        Variables that are read elsewhere.
    """
    made = list(body)
    while True:
        read = set(wanted).union(*map(_read, made), set())
        kept = _without_gone(made, [_living(s, read) for s in made])
        kept = _without_gone(kept, [_needed_none(s, kept[n + 1 :]) for n, s in enumerate(kept)])
        if len(kept) == len(made):
            return kept
        made = kept


def _without_gone(body: Sequence[Any], left: Sequence[Any]) -> list[Any]:
    made: list[Any] = []
    for statement, new in zip(reversed(body), reversed(left), strict=True):
        made = handed_on(statement, made) if new is None else [new, *made]
    return made


def _needed_none(statement: Any, rest: Sequence[Any]) -> Any:
    """Return a line such as ``dx = dw = None`` without what is assigned before it is read, if anything is left."""
    small = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) and len(statement.body) == 1 else None
    if not isinstance(small, cst.Assign) or not all(_is_none(v) for v in _values(small.value)):
        return statement
    targets = [t for t in small.targets if not all(_assigned_first(n, rest) for n in targets_of(t.target))]
    return statement.with_changes(body=[small.with_changes(targets=targets)]) if targets else None


def _values(value: cst.BaseExpression) -> list[cst.BaseExpression]:
    return [e.value for e in value.elements] if isinstance(value, cst.Tuple) else [value]


def _is_none(value: cst.BaseExpression) -> bool:
    return isinstance(value, cst.Name) and value.value == "None"


def _assigned_first(variable: str, rest: Sequence[Any]) -> bool:
    for statement in rest:
        if isinstance(statement, cst.SimpleStatementLine) and isinstance(statement.body[0], cst.Assign):
            if variable in names_in(statement.body[0].value):
                return False
            if variable in written(statement):
                return True
        elif variable in names_in(statement):
            return False
    return True


def _living(statement: Any, read: set[str]) -> Any:
    small = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) and len(statement.body) == 1 else None
    if isinstance(small, cst.Assign) and all(isinstance(t.target, cst.Name | cst.Tuple) for t in small.targets):
        return statement if changed(statement) & read else None
    return None if isinstance(statement, cst.If) and _does_nothing(statement) else statement


def _does_nothing(branch: cst.If | cst.Else) -> bool:
    """Whether all branches pass: what was done there is not needed here."""
    rest = branch.orelse if isinstance(branch, cst.If) else None
    lines = branch.body.body if isinstance(branch.body, cst.IndentedBlock) else [branch.body]
    idle = all(_only_passes(line) for line in lines)
    return idle and (rest is None or _does_nothing(rest))


def _only_passes(line: cst.CSTNode) -> bool:
    """Whether a line says nothing but ``pass``."""
    small = line.body if isinstance(line, cst.SimpleStatementLine) else [line]
    return all(isinstance(one, cst.Pass) for one in small)


def _read(statement: Any) -> set[str]:
    """Return the variables that a statement reads; one that is only assigned is none."""
    small = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) and len(statement.body) == 1 else None
    if isinstance(small, cst.Assign) and all(isinstance(t.target, cst.Name | cst.Tuple) for t in small.targets):
        return names_in(small.value)
    return names_in(statement)
