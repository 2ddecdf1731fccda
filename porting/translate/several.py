"""Finds the names of a module that are one thing here and another one there: which is meant is known when it runs."""

import ast
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate.analyse.slices import changed
from porting.translate.code import source
from porting.translate.names import is_script, targets


def changes_of(module: cst.Module) -> dict[str, tuple[str, cst.CSTNode]]:
    """Return why the value of some names of a module is not seen in it, and where that is told.

    Parameters
    ----------
    module : libcst.Module
        A source.

    Returns
    -------
    dict of str to tuple of str and libcst.CSTNode
        Names that are assigned or defined under a condition, and otherwise elsewhere; constants that are assigned
        twice (a default has the first value, a call finds the second), counted up, or changed in place.
    """
    found: dict[str, tuple[str, cst.CSTNode]] = {}
    values: dict[str, list[tuple[str, bool]]] = {}
    setters = setters_of(module)
    for statement, sure in _lines(module.body):
        for title, by in setters.items():
            if any(m.findall(statement, m.Expr(m.Call(m.Name(setter)))) for setter in by):
                found.setdefault(title, (_why(title, [], _CHANGED), statement))
        for title, said, again in _said(statement):
            before = values.setdefault(title, [])
            if said == _CHANGED and before and _is_handed_on(statement) and all(_is_fixed(text) for text, _ in before):
                continue
            other = [text for text, always in before if text != said and not (sure and always and not again)]
            if other or said == _CHANGED:
                found.setdefault(title, (_why(title, other, said), statement))
            before.append((said, sure))
    return found


_CHANGED: Final = "changed"


def _is_handed_on(statement: Any) -> bool:
    """Whether a line calls something for what it does: ``print(SCALE)``, ``register(Spike)``."""
    return isinstance(statement, cst.SimpleStatementLine) and isinstance(statement.body[0], cst.Expr)


def _is_fixed(said: str) -> bool:
    """Whether nobody who gets a value can change it: a number, a text, a tuple of such, a function, a class."""
    if said.startswith(("def ", "class ", "@")):
        return True
    with suppress(ValueError, SyntaxError):
        return isinstance(ast.literal_eval(said), int | float | complex | str | bytes | tuple | None)
    return False


def setters_of(module: cst.Module) -> dict[str, list[str]]:
    """Return the functions that assign to names of the module, by these names."""
    found: dict[str, list[str]] = {}
    functions: Any = m.findall(module, m.FunctionDef())
    for node in functions:
        for line in m.findall(node, m.Global()):
            for item in cst.ensure_type(line, cst.Global).names:
                if item.name.value in changed(cst.Module(node.body.body)):
                    found.setdefault(item.name.value, []).append(node.name.value)
    return found


def _why(title: str, other: Sequence[str], said: str) -> str:
    if said == _CHANGED or "\n" in said or len(said) > 30 or len(other[0]) > 30:
        return f"{title}: is changed further down; which value is meant is not seen here"
    return f"{title}: is {other[0]} in one place and {said} in another; which is meant is not seen here"


def _said(statement: Any) -> Iterator[tuple[str, str, bool]]:
    """Yield what a statement says of names: the text, and whether two such texts contradict each other in any case."""
    if isinstance(statement, cst.FunctionDef | cst.ClassDef):
        if not any(source(d.decorator).endswith("overload") for d in statement.decorators):
            yield statement.name.value, source(statement.with_changes(leading_lines=[])), False
        return
    if isinstance(statement, cst.For | cst.While):
        yield from ((title, _CHANGED, True) for title in changed(statement))
        return
    for small in statement.body if isinstance(statement, cst.SimpleStatementLine) else ():
        if isinstance(small, cst.Assign | cst.AnnAssign) and small.value is not None:
            text = source(small.value)
            yield from ((title, text, True) for title in targets(small))
        line = cst.SimpleStatementLine([small])
        written = set(targets(small)) if isinstance(small, cst.Assign) else set()
        if not isinstance(small, cst.Import | cst.ImportFrom | cst.AnnAssign):
            yield from ((title, _CHANGED, True) for title in sorted(changed(line) - written))


def _lines(body: Sequence[Any], *, sure: bool = True) -> Iterator[tuple[Any, bool]]:
    """Yield the statements that a module runs when it is imported, and whether it always does."""
    for statement in body:
        if isinstance(statement, cst.If):
            if is_script(statement):
                continue
            yield from _lines(statement.body.body, sure=False)
            orelse = statement.orelse
            if orelse is not None:
                yield from _lines([orelse] if isinstance(orelse, cst.If) else orelse.body.body, sure=False)
        elif isinstance(statement, cst.Try | cst.With):
            yield from _lines(statement.body.body, sure=False)
            for part in (*getattr(statement, "handlers", ()), getattr(statement, "orelse", None)):
                yield from _lines(part.body.body, sure=False) if part is not None else ()
        else:
            yield statement, sure
