"""Finds functions of one's own that make a custom gradient of what they are given, such as a decorator for methods."""

from pathlib import Path
from typing import Any, Final

import libcst as cst
from libcst import matchers as m

from porting.translate.names import Names
from porting.translate.read import tf as read_tf
from porting.translate.read.package import file_of
from porting.translate.read.signatures import parameters_of
from porting.translate.read.source import SourceError, read_source
from porting.translate.read.star_imports import of_stars

Maker = cst.BaseExpression | str
_SAID: Final = b"custom_gradient"
_HANDED_ON: Final = 4  # files on the way to a definition
_MADE: Final = m.SimpleStatementLine([m.Assign(targets=[m.AssignTarget(m.Name())], value=m.Call(m.Name()))])


def makers_of(module: cst.Module, names: Names, path: Path) -> dict[str, Maker]:
    """Return what makes custom gradients in a module, beside a framework's own decorator, by name.

    Parameters
    ----------
    module : libcst.Module
        The module.
    names : Names
        Its names.
    path : pathlib.Path
        Its file; a maker may stand in another file of its package.

    Returns
    -------
    dict of str to (libcst.BaseExpression or str)
        The framework's decorator that a function stands for; or why what it makes is not translated.
    """
    found: dict[str, Maker | None] = {title: _decorator(title, names, path) for title in _asked(module)}
    for title in _given_functions(module, names):
        found[title] = found.get(title) or _by_another_file(title, names, path)
    return {title: maker for title, maker in found.items() if maker is not None}


def _asked(module: cst.Module) -> list[str]:
    """Return the names that decorate something, or that make what a name of the module stands for."""
    decorators: Any = m.findall(module, m.Decorator(m.Name()))
    return list(dict.fromkeys([d.decorator.value for d in decorators] + [call.func.value for call in _calls(module)]))


def _given_functions(module: cst.Module, names: Names) -> list[str]:
    """Return the names that make what a name of the module stands for of functions."""
    functions = {n for n, node in names.defined.items() if isinstance(node, cst.FunctionDef)} | {*names.imported}
    made = [call for call in _calls(module) if any(m.matches(a.value, m.Name()) for a in call.args)]
    return [call.func.value for call in made if any(getattr(a.value, "value", "") in functions for a in call.args)]


def _calls(module: cst.Module) -> list[Any]:
    """Return the calls of plain names that a module assigns to one of its own."""
    lines: list[Any] = [s for s in module.body if m.matches(s, _MADE)]
    return [line.body[0].value for line in lines]


def _decorator(title: str, names: Names, path: Path) -> Maker | None:
    """Return the decorator that a function stands for; None if it stands for none."""
    if title in names.defined:
        return _hands_on(names.defined[title], names)
    other, node = _elsewhere(title, names, path)
    made = _hands_on(node, other) if other is not None else None
    if made is None:
        return None
    return made if read_tf.makes_gradient(made, names) else f"is made by {title} of another file"


def _by_another_file(title: str, names: Names, path: Path) -> str | None:
    """Return why it is not translated what a function of another file makes of functions; None if that is nothing."""
    other, node = _elsewhere(title, names, path) if title not in names.defined else (None, None)
    if other is None or not isinstance(node, cst.FunctionDef):
        return None
    calls: Any = m.findall(node, m.Call())
    if not read_tf.gradients_within(node, other) and not any(read_tf.makes_gradient(c.func, other) for c in calls):
        return None
    return f"is made by {title} of another file, from functions that it is given"


def _elsewhere(title: str, names: Names, path: Path) -> tuple[Names | None, Any]:
    """Return what a name stands for that is imported from another file of the package, with the names of that file.

    A package may hand on what another one of its files has.
    """
    imported = names.imported.get(title, "")
    for _ in range(_HANDED_ON):
        found = file_of(path, imported) if imported else None
        if found is None:
            return None, None
        path, called = found
        text = path.read_bytes()
        if _SAID not in text and f"def {called}(".encode() in text:  # it makes none
            return None, None
        try:
            read = read_source(path)
        except SourceError:
            return None, None
        other = Names(read.module)
        if called in other.defined:
            return other, other.defined[called]
        of_stars(other, read)
        imported = other.imported.get(called, "")
    return None, None


def _hands_on(node: Any, names: Names) -> cst.BaseExpression | None:
    """Return what makes a custom gradient of the function that a function is given: ``tf.custom_gradient``."""
    if not isinstance(node, cst.FunctionDef) or read_tf.is_gradient(node, names):
        return None
    given = {p.name.value for p in parameters_of(node)}
    calls: Any = m.findall(node, m.Call(args=[m.AtLeastN(n=1)]))
    for call in (call for call in calls if read_tf.makes_gradient(call.func, names)):
        first = call.args[0].value
        function = first.body.func if m.matches(first, m.Lambda(body=m.Call())) else first
        if isinstance(function, cst.Name) and function.value in given:
            return call.func  # type: ignore[no-any-return]  # of a call
    return None
