"""Mutants: our right twins with one thing wrong in the gradient code, made by machine."""

import ast
import inspect
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from operator import attrgetter
from pathlib import Path
from typing import Final

from porting.backends import CATALOGUED
from porting.errors import PortingError
from porting.selftest.compiled import compiled
from porting.selftest.mutation import gradients, home
from porting.selftest.operators import OPERATORS
from porting.selftest.operators.edit import around, label, replaced, spliced
from porting.spec import Op

EQUIVALENT: Final = Path(__file__).parent / "equivalent.toml"
_WANTED: Final = ("ops", "backend", "labels", "reason")


class EquivalentsError(PortingError, ValueError):
    """The list of equivalent mutants cannot be used; the message names the entry and what it lacks."""


@dataclass(frozen=True)
class Mutant:
    """One twin with one thing wrong.

    Attributes
    ----------
    op : Op
        The op that the twin belongs to.
    backend : str
        ``torch`` or ``tf``.
    number : int
        Its place in the list of `mutants`.
    label : str
        What stood there and what stands there now: ``2 * x -> 3 * x``. Unique together with the line.
    line : int
        Where, in the twin's file.
    source : str
        The whole module, mutated.
    """

    op: Op
    backend: str
    number: int
    label: str
    line: int
    source: str = field(repr=False)

    @property
    def key(self) -> tuple[str, str, str]:
        """Return what it is known by in the list of equivalent mutants."""
        return self.op.name, self.backend, self.label

    def bound(self) -> Op:
        """Return the op bound to the mutated twin, in a module of its own whose source can be read."""
        origin, path = home(self.op, self.backend)
        name = f"{origin.__name__}_{self.op.name}_mutant_{self.number}"
        module = compiled(name, origin, f"mutant {self.number} of {self.op.name}", self.source)
        return self.op.bind(**{self.backend: attrgetter(path)(module)})


@dataclass
class _Draft:
    """A mutant that is being named: `wider` are the labels with more and more around the place."""

    line: int
    label: str
    wider: Iterator[str]
    source: str


def mutants(op: Op, backend: str) -> list[Mutant]:
    """Return all mutants of a twin, by operator and then by place; none equals the twin or another one.

    Raises
    ------
    porting.selftest.mutation.NoGradientError
        If the twin is not at the top of a module.
    """
    module, name = home(op, backend)
    source = inspect.getsource(module)
    drafts = _drafts(source, ast.parse(source), name, backend)
    while True:
        counts = Counter(draft.label for draft in drafts)
        moved = False
        for draft in drafts:
            if counts[draft.label] > 1 and (wider := next(draft.wider, "")):
                draft.label, moved = wider, True
        if not moved:
            return [Mutant(op, backend, k, d.label, d.line, d.source) for k, d in enumerate(drafts)]


def equivalents(path: Path = EQUIVALENT) -> dict[tuple[str, str, str], str]:
    """Return the mutants that are no faults, as (op, backend, label), each with the reason.

    Raises
    ------
    EquivalentsError
        If the file is not there, no TOML, or an entry lacks a key, has another one, or stands there twice.
    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise EquivalentsError(f"{path}: {error}") from error
    if set(content) - {"equivalent"}:
        raise EquivalentsError(f"{path}: only [[equivalent]] tables are wanted, found {', '.join(content)}")
    found: dict[tuple[str, str, str], str] = {}
    for n, entry in enumerate(content.get("equivalent", []), 1):
        if not isinstance(entry, dict) or set(entry) != set(_WANTED):
            raise EquivalentsError(f"{path}: entry {n} must have exactly the keys {', '.join(_WANTED)}")
        texts = [entry["backend"], entry["reason"], *_listed(entry["ops"]), *_listed(entry["labels"])]
        if not all(isinstance(text, str) and text.strip() for text in texts):
            raise EquivalentsError(f"{path}: entry {n} has a key that is no text, or empty; ops and labels are lists")
        if entry["backend"] not in CATALOGUED:
            raise EquivalentsError(f"{path}: entry {n}: {entry['backend']!r} is no backend")
        for key in product(entry["ops"], [entry["backend"]], entry["labels"]):
            if key in found:
                raise EquivalentsError(f"{path}: entry {n}: {key} stands there twice")
            found[key] = entry["reason"]
    return found


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) and value else [None]


def _drafts(source: str, tree: ast.Module, name: str, backend: str) -> list[_Draft]:
    parent = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    found: dict[tuple[int, str], _Draft] = {}
    for gradient in gradients(tree, name, backend):
        if not gradient.cotangents:  # *dy of whatever function is given: there is no formula to change
            continue
        for operator in OPERATORS:
            for old, new in operator(gradient):
                places = around(old, parent)
                statement = places[-1]
                text = ast.unparse(replaced(statement, old, new))
                key = statement.lineno, text
                if text != ast.unparse(statement) and key not in found:
                    labels = iter([label(place, old, new) for place in places])
                    found[key] = _Draft(old.lineno, next(labels), labels, spliced(source, old, new))
    return list(found.values())
