"""Planted faults as data: the right twin of a toy with a few words of its source replaced."""

import ast
import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from textwrap import dedent
from typing import Any

from porting.selftest.compiled import compiled
from porting.selftest.mutation import used
from porting.selftest.planted import add
from porting.selftest.toys import TOYS


@dataclass
class Edit:
    """One entry of a table: see `planted_edits`.

    Attributes
    ----------
    name, toy, cause, source, about : str
        Name of the twin and of its toy, and the attributes of `Planted`.
    changes : list
        The lines that stand in the right twin, and those that stand there instead.
    """

    name: str
    toy: str
    cause: str = ""
    source: str = ""
    about: str = ""
    changes: list[tuple[list[str], list[str]]] = field(default_factory=list)


def planted_edits(module: str, table: str) -> None:
    """Register wrong twins, or right ones that look wrong, by what is replaced in the right twin of a toy.

    An entry is a line with name, toy, cause (none for what is right) and source, one with the sentence, and as in a
    diff what stands in the right twin and what stands there instead: words of a line, or several lines::

        NegativeCosine: sine, wrong_sign, HIPS/autograd PR#412
            -cos(x) is returned for sin(x).
            - return torch.cos(x) * dy
            + return -torch.cos(x) * dy

    What is new may use whatever the twin's module has, and what `module` has defined before. A name in CamelCase is
    that of a PyTorch `Function`, whose `apply` is the twin; any other is that of the function which people call.

    Parameters
    ----------
    module : str
        The name of the module that has the table: ``__name__``.
    table : str
        The entries.

    Raises
    ------
    ValueError
        If what is replaced does not stand exactly once in the twin, if what comes out is no Python, or if a line is no
        part of an entry.
    """
    _, backend, file = module.removeprefix(__package__).split(".", 2)
    for edit in entries(table):
        name = f"{backend}.{file}.{edit.name}"
        try:
            twin = _twin(edit, backend, module)
        except (SyntaxError, ValueError) as error:
            raise ValueError(f"{name}: {error}") from error
        add(name, backend, TOYS[edit.toy].bind(**{backend: twin}), edit.cause, edit.about, edit.source)


def entries(table: str) -> list[Edit]:
    """Return the entries of a table.

    Raises
    ------
    ValueError
        If there is a line that is no part of an entry.
    """
    found: list[Edit] = []
    for line in filter(str.strip, dedent(table).splitlines()):
        sign, text = line[4:6], line[6:]
        name, colon, rest = line.partition(": ")
        if colon and not line.startswith(" "):
            toy, cause, source = (*rest.split(", ", 2), "", "")[:3]
            found.append(Edit(name, toy, cause, source))
        elif found and not found[-1].about:
            found[-1].about = line.strip()
        elif found and sign == "- ":
            if not found[-1].changes or found[-1].changes[-1][1]:
                found[-1].changes.append(([], []))
            found[-1].changes[-1][0].append(text)
        elif found and sign == "+ " and found[-1].changes:
            found[-1].changes[-1][1].append(text)
        else:
            raise ValueError(f"neither an entry's head nor what is replaced in it: {line}")
    return found


def edited(source: str, old: list[str], new: list[str]) -> str:
    """Return a source with some lines, or words of one, replaced; further lines are indented as the first one is.

    Raises
    ------
    ValueError
        If they do not stand there exactly once, or are the same lines.
    """
    if old == new:
        raise ValueError(f"{' '.join(old)!r} is replaced by itself")
    places = []
    start = source.find(old[0])
    while start >= 0:
        line = source[source.rfind("\n", 0, start) + 1 :]
        below = "\n" + line[: len(line) - len(line.lstrip())]
        if source.startswith(below.join(old), start):
            places.append((start, below))
        start = source.find(old[0], start + 1)
    if len(places) != 1:
        raise ValueError(f"{' '.join(old)!r} stands {len(places)} times in the twin, not once")
    ((start, below),) = places
    return source[:start] + below.join(new) + source[start + len(below.join(old)) :]


def _twin(edit: Edit, backend: str, module: str) -> Callable[..., Any]:
    """Return the changed twin, in a module of its own that has the lines of the right one's."""
    if edit.toy not in TOYS:
        raise ValueError(f"no toy is called {edit.toy}")
    if not edit.changes:
        raise ValueError(f"nothing is replaced in {edit.toy}")
    right = getattr(import_module(f"{__package__}.{backend}.twins"), edit.toy)
    is_class = edit.name[0].isupper()
    kind, root = ("class", f"{edit.toy.title().replace('_', '')}Function") if is_class else ("def", edit.toy)
    origin, source = sys.modules[right.__module__], _source(right.__module__, root)
    for old, new in (*edit.changes, ([f"{kind} {root}("], [f"{kind} {edit.name}("])):
        source = edited(source, old, new)
    names = {**vars(origin), **vars(sys.modules[module])}
    twin = getattr(compiled(f"{module}.{edit.name}", origin, f"planted {edit.name}", source, names), edit.name)
    made: Callable[..., Any] = twin.apply if is_class else twin
    return made


@cache
def _source(module: str, root: str) -> str:
    """Return the source of a module with nothing but what a name of it uses; the other lines are blank."""
    whole = inspect.getsource(sys.modules[module])
    inside = {n for s in used(ast.parse(whole), root) for n in range(s.lineno, (s.end_lineno or s.lineno) + 1)}
    return "".join(line if n in inside else "\n" for n, line in enumerate(whole.splitlines(keepends=True), 1))
