"""Whether a name leads anywhere, as far as that can be told without importing anything: a framework takes seconds."""

from __future__ import annotations

import ast
import sys
import traceback
from difflib import get_close_matches
from importlib.machinery import PathFinder
from pathlib import Path
from typing import TYPE_CHECKING

from porting.loading import LoadError, ensure_file, no_module, not_there

if TYPE_CHECKING:
    from collections.abc import Iterator


def ensure_named(target: str, what: str) -> None:
    """Refuse a name of which a look at the file says that `porting.loading.load` will not find it.

    Parameters
    ----------
    target : str
        ``package.module:function`` or ``path/to/file.py:function``.
    what : str
        What the user gave it as, for messages.

    Raises
    ------
    LoadError
        If the file or the package is not there, the file is no Python, or binds no such name but one that is like it.
    """
    place, _, name = target.rpartition(":")
    if not (place and name):  # loading says what is wanted
        return
    if not place.endswith(".py"):
        package = place.partition(".")[0]
        known = package in sys.modules or not package.isidentifier()  # what has another form, loading says
        if not known and PathFinder.find_spec(package, [str(Path.cwd()), *sys.path]) is None:
            raise no_module(what, place, package)
        return
    ensure_file(place, what)
    try:
        tree = ast.parse(Path(place).read_bytes(), filename=str(Path(place).resolve()))
    except (SyntaxError, ValueError) as error:
        raise LoadError(f"{what} {place} does not import:\n{_only(error)}") from None
    bound = set(_bound(tree))
    first = name.partition(".")[0]
    functions = [n for n in bound if not n.startswith("_")]
    misspelt = first not in bound and get_close_matches(first, functions, cutoff=0.5)
    if misspelt and not bound & {"*", "__getattr__"}:  # of any other name the import may have more to say
        raise not_there(target, what, first, functions)


def file_of(place: str) -> Path | None:
    """Return the file that a module's name leads to; nothing if there is none, or it is no Python.

    Parameters
    ----------
    place : str
        ``package.module``. The packages around it are not imported, as `importlib.util.find_spec` does.
    """
    search: list[str] | None = [str(Path.cwd()), *sys.path]
    spec = None
    for part in place.split("."):
        spec = PathFinder.find_spec(part, search) if search else None
        if spec is None:
            return None
        search = None if spec.submodule_search_locations is None else list(spec.submodule_search_locations)
    found = Path(spec.origin) if spec and spec.origin else None
    return found if found and found.suffix == ".py" else None


def _bound(tree: ast.AST) -> Iterator[str]:
    """Yield the names that a module binds; ``*`` where a star import or the code itself may bind any."""
    for node in ast.walk(tree):  # a name that only a function binds refuses nothing that is there
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Name) and node.id in {"globals", "locals", "exec", "setattr", "vars"}:
            yield "*"
        elif isinstance(node, ast.alias):
            yield node.asname or node.name.partition(".")[0]


def _only(error: Exception) -> str:
    return "".join(traceback.format_exception_only(error)).rstrip()
