"""Copy propagation: leaves out a variable that is a copy of another one, and reads the other one in its place."""

from collections.abc import Collection, Sequence
from typing import Any

import libcst as cst

from porting.translate.analyse.slices import written
from porting.translate.code import renamed


def propagated(body: Sequence[Any], kept: Collection[str] = ()) -> list[Any]:
    """Leave out ``at = x``, and read x where at is read; what is `kept` is read elsewhere too."""
    made = list(body)
    for n, statement in enumerate(made):
        for target, value in _copies(statement):
            if target in kept:
                continue
            rest = _reading(made[n + 1 :], target, value)
            if rest is not None:
                left = _without(statement, target)
                after = [left, *rest] if left is not None else handed_on(statement, rest)
                return propagated([*made[:n], *after], kept)
    return made


def handed_on(gone: Any, rest: Sequence[Any]) -> list[Any]:
    """Move the comment above a removed statement to the next one."""
    comments = [line for line in gone.leading_lines if line.comment]
    if not comments or not rest or not hasattr(rest[0], "leading_lines"):
        return list(rest)
    return [rest[0].with_changes(leading_lines=[*comments, *rest[0].leading_lines]), *rest[1:]]


def _reading(rest: Sequence[Any], target: str, value: str) -> list[Any] | None:
    """Have statements read the value where they read its copy, up to where the copy becomes something else.

    Nothing, if one of the two changes on the way in a manner that does not tell which is meant.
    """
    names = {target: cst.Name(value)}
    for n, statement in enumerate(rest):
        changed = written(statement)
        if not changed & {target, value}:
            continue
        small = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) else None
        plain = (
            isinstance(small, cst.Assign) and len(small.targets) == 1 and isinstance(small.targets[0].target, cst.Name)
        )
        if value in changed or not plain:
            return None
        assign = cst.ensure_type(small, cst.Assign)
        last = statement.with_changes(body=[assign.with_changes(value=renamed(assign.value, names))])
        return [*(renamed(s, names) for s in rest[:n]), last, *rest[n + 1 :]]
    return [renamed(s, names) for s in rest]


def _copies(statement: Any) -> list[tuple[str, str]]:
    """Return what a line copies from one variable to another: ``u, v = x, y``, too."""
    small = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) and len(statement.body) == 1 else None
    if not (isinstance(small, cst.Assign) and len(small.targets) == 1):
        return []
    target, value = small.targets[0].target, small.value
    pairs: list[tuple[Any, Any]] = [(target, value)]
    if isinstance(target, cst.Tuple) and isinstance(value, cst.Tuple) and len(target.elements) == len(value.elements):
        pairs = [(t.value, v.value) for t, v in zip(target.elements, value.elements, strict=True)]
    names = [(t.value, v.value) for t, v in pairs if isinstance(t, cst.Name) and isinstance(v, cst.Name)]
    assigned = {t.value for t, _ in pairs if isinstance(t, cst.Name)}
    return [(t, v) for t, v in names if v not in {"None", "True", "False", *assigned}]


def _without(statement: Any, target: str) -> Any:
    """Return an assignment without one of its targets; nothing if it was the only one."""
    small = statement.body[0]
    first = small.targets[0].target
    if isinstance(first, cst.Name):
        return None
    pairs = [
        (t, v)
        for t, v in zip(first.elements, small.value.elements, strict=True)
        if not (isinstance(t.value, cst.Name) and t.value.value == target)
    ]
    return statement.with_changes(body=[_assignment([t.value for t, _ in pairs], [v.value for _, v in pairs])])


def _assignment(targets: Sequence[Any], values: Sequence[Any]) -> cst.Assign:
    """Return ``a, b = c, d``."""
    if len(targets) == 1:
        return cst.Assign([cst.AssignTarget(targets[0])], values[0])
    left, right = (cst.Tuple([cst.Element(item) for item in part], lpar=[], rpar=[]) for part in (targets, values))
    return cst.Assign([cst.AssignTarget(left)], right)
