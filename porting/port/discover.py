"""Finds the custom gradients of a file or a folder, without running any of it."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Final

import libcst as cst
from libcst import matchers as m

from porting.backends import BACKENDS
from porting.port.header import printable
from porting.translate.dialects import DIALECTS, FRAMEWORKS, TITLES, other_than
from porting.translate.module import Translator
from porting.translate.read.everywhere import within
from porting.translate.read.source import LARGEST, Source, SourceError, read_source

_LONGEST: Final = 200  # characters of a path in a message
# One of them is in every file that defines a gradient.
_WORDS: Final = (b"autograd", b"custom_gradient", b"RegisterGradient", b"grad_func")
_CACHES: Final = {"__pycache__", "node_modules", "site-packages", "dist-packages"}


class NothingError(SourceError):
    """A file defines no custom gradient that could be translated; in a folder it is passed over."""


@dataclass(frozen=True)
class Unit:
    """One custom gradient that is to be translated.

    Attributes
    ----------
    path : pathlib.Path
        Its file, as the user gave it.
    name : str
        The name of a class or function in this file.
    of, to : str
        The framework of the source, and the framework of the translation.
    inputs : tuple of str
        What its inputs are called, if the user says so: it may take them as ``*args``.
    transparent : tuple of str
        Decorators that change no number, as the user says.
    """

    path: Path
    name: str
    of: str
    to: str
    inputs: tuple[str, ...] = ()
    transparent: tuple[str, ...] = ()


def read(path: Path) -> Source:
    """Read a file; the last one is remembered, for the next gradient of it.

    Raises
    ------
    SourceError
        If it is not a Python file.
    """
    try:
        known = path.stat()
    except OSError as error:
        raise SourceError(f"{printable(str(path))[:_LONGEST]}: cannot be read ({error.strerror or error})") from None
    return _read(path, known.st_mtime_ns, known.st_size)


@lru_cache(maxsize=1)
def _read(path: Path, changed: int, size: int) -> Source:  # noqa: ARG001 - a file that changed is read again
    return read_source(path)


def units_of(path: Path, name: str, to: str) -> list[Unit]:
    """Return the custom gradients of a file, or the one that is named.

    Parameters
    ----------
    path : pathlib.Path
        A Python file.
    name : str
        A class or function in it; empty for every custom gradient.
    to : {"torch", "tf", "numpy"}
        What to translate to; the file is in the other framework.

    Raises
    ------
    SourceError
        If the file cannot be read, has no custom gradient, does not have the named one, or is in that framework
        already.
    """
    source = read(path)
    there = {of: _gradients(Translator(source, of, to)) for of in FRAMEWORKS}
    sides = [of for of in FRAMEWORKS if of != to]
    if not name:
        of = next((side for side in sides if there[side]), "")
        if of:
            return [Unit(path, found, of, to) for found in there[of]]
        raise NothingError(f"{path}: {_nothing(there, to)}")
    for side in sides:
        if name in there[side]:
            return [Unit(path, name, side, to)]
        if around := _around(Translator(source, side, to), name, there[side]):
            return [Unit(path, around, side, to)]
    if to in there and name in there[to]:
        raise SourceError(f"{path}:{name}: {_already(to)}")
    return [Unit(path, name, _side_of(source, name, to, there), to)]


def _gradients(translator: Translator) -> list[str]:
    """Return the names of the custom gradients of a file in their order, also of those that are refused unread."""
    names, line = translator.names, translator.source.line
    places = {names.spelled(title): line(names.origin(title)) for title in translator.gradients()}
    places |= {name: line(seen.node) for name, seen in translator.unreached.items()}
    return sorted(places, key=lambda name: places[name])


def held(translator: Translator, name: str) -> list[str]:
    """Return the custom gradients that a function has in it, where it has several; they are translated with it."""
    found = _inside(translator, name)
    return found if len(found) > 1 else []


def _inside(translator: Translator, name: str) -> list[str]:
    """Return the custom gradients that a function has in it."""
    names = translator.names
    node = names.defined.get(names.title(name))
    inner = within("", node, names, by_class=DIALECTS[translator.of].by_class) if node is not None else []
    return [title.lstrip(".") for title in inner if title.startswith(".")]


def _around(translator: Translator, name: str, listed: Sequence[str]) -> str:
    """Return the function that a gradient stands in and is translated with: of ``outer.inner``, and of ``inner``."""
    for outer in listed:
        if name in {called for inner in _inside(translator, outer) for called in (inner, f"{outer}.{inner}")}:
            return outer
    return ""


def _side_of(source: Source, name: str, to: str, there: dict[str, list[str]]) -> str:
    """Return the framework of what is no custom gradient itself: a function that calls one, or none."""
    names = Translator(source, next(iter(FRAMEWORKS)), to).names
    node = names.defined.get(name)
    if not isinstance(node, cst.FunctionDef | cst.ClassDef):
        raise SourceError(f"{source.path}: {_absent(name, list(names.defined), there, to)}")
    packages = {path.partition(".")[0] for path in names.imported.values()}
    for side in FRAMEWORKS:
        if side != to and packages & set(BACKENDS[side].packages):
            return side
    if to in FRAMEWORKS and packages & set(BACKENDS[to].packages):
        raise SourceError(f"{source.path}:{name}: {_already(to)}")
    raise SourceError(f"{source.path}:{name}: the file imports neither torch nor tensorflow; which one is it in?")


def _already(to: str) -> str:
    return f"is in {TITLES[to]} already; --to {other_than(to)} translates it"


def _nothing(there: dict[str, list[str]], to: str) -> str:
    if there.get(to):
        return _already(to)
    wanted = " or ".join(FRAMEWORKS[of].gradient for of in FRAMEWORKS if of != to)
    return f"no custom gradient is defined in it; a {wanted} is wanted"


def _absent(name: str, defined: list[str], there: dict[str, list[str]], to: str) -> str:
    listed = [n for of in FRAMEWORKS if of != to for n in there[of]]
    known = f"Its custom gradients: {', '.join(listed) or 'none'}"
    if name in defined:
        return f"{name} is defined in it, and no custom gradient that is made there. {known}"
    near = get_close_matches(name, [*listed, *defined], n=1)
    hint = f"; did you mean {near[0]}?" if near else "."
    return f"nothing in it is called {name}{hint} {known}"


def files_of(folder: Path, leave: Path | None = None) -> list[Path]:
    """Return the files of Python in a folder that may define custom gradients; see `python_files`.

    Parameters
    ----------
    folder : pathlib.Path
        Where to look, at any depth.
    leave : pathlib.Path, optional
        A folder in it to leave out: that of the translations.
    """
    return sorted(path for path in python_files(folder, leave) if _may_define(path))


def python_files(folder: Path, leave: Path | None = None) -> Iterator[Path]:
    """Yield the files of Python in a folder.

    Hidden folders, virtual environments, caches, installed packages and folders that are links are left out, and the
    folder to `leave`.
    """
    leave = leave.resolve() if leave else None
    for place, folders, files in os.walk(folder):
        here = Path(place)
        folders[:] = [name for name in folders if not _is_left_out(here / name, leave)]
        yield from (here / name for name in files if name.endswith(".py"))


def _is_left_out(folder: Path, leave: Path | None) -> bool:
    if folder.name.startswith(".") or folder.name in _CACHES or (folder / "pyvenv.cfg").exists():
        return True
    return leave is not None and folder.resolve() == leave


def _may_define(path: Path) -> bool:
    try:
        if not path.is_file():
            return False
        with path.open("rb") as stream:
            data = stream.read(LARGEST + 1)
    except OSError:
        return True  # it is named with the reason
    return any(word in data for word in _WORDS)


def original(source: Source, unit: Unit, needed: Sequence[str]) -> tuple[str, int, int]:
    """Return the text of a gradient, with what it needs and the function that calls it; its line; and its calls.

    Parameters
    ----------
    source : Source
        Its file.
    unit : Unit
        The gradient.
    needed : sequence of str
        Other names of the file that are translated with it.
    """
    translator = Translator(source, unit.of, unit.to)
    if seen := translator.unreached.get(unit.name):
        text = source.module.code_for_node(seen.node).strip("\n") + "\n"
        return text, source.line(seen.node), len(m.findall(seen.node, m.Call()))
    own = [translator.names.title(unit.name)]
    for inner, outer in translator.wrappers.items():
        if own[0] in {inner, outer.name.value}:
            own = [inner, outer.name.value]
    defined, origin = translator.names.defined, translator.names.origin
    nodes = list(dict.fromkeys(origin(name) for name in defined if name in {*own, *needed}))
    text = "\n".join(source.module.code_for_node(node).strip("\n") + "\n" * _after(node) for node in nodes)
    calls = sum(len(m.findall(defined[name], m.Call())) for name in own)
    return text.strip("\n") + "\n", source.line(origin(own[0])), calls


def _after(node: cst.CSTNode) -> int:
    """Return how many lines stay empty after a statement."""
    return 2 if isinstance(node, cst.FunctionDef | cst.ClassDef) else 0
