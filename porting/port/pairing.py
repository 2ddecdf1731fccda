"""Matches the pairs of a repository by name and signature, and writes a first list that marks doubtful matches."""

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from porting.port.repository import Candidate
from porting.translate.dialects import FRAMEWORKS

_ALIKE: Final = 0.8  # of two names that may mean the same
_HEAD: Final = """# The pairs of this repository, as `porting init` has found them by name and signature.
# `porting check {file}` checks them; the keys are the options of `porting check`. Lines with TODO want a look.
"""


@dataclass(frozen=True)
class Match:
    """Two sides, or one side without a counterpart, and the doubts about the match."""

    name: str
    sides: tuple[Candidate, ...]
    doubts: tuple[str, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether both sides were found."""
        return len(self.sides) > 1


def matches(found: Sequence[Candidate]) -> list[Match]:
    """Return a match for each hand-written gradient, those with two sides first."""
    made: list[Match] = []
    taken: set[Candidate] = set()
    order = list(FRAMEWORKS)
    for candidate in sorted((c for c in found if c.gradient), key=lambda c: (order.index(c.side), c.key)):
        if candidate in taken:
            continue
        other, doubts = _counterpart(candidate, [c for c in found if c.side != candidate.side and c not in taken])
        taken |= {candidate} if other is None else {candidate, other}
        sides = sorted((c for c in (candidate, other) if c is not None), key=lambda c: order.index(c.side))
        name = _unused(candidate.key, {match.name for match in made})
        made.append(Match(name, tuple(sides), tuple(doubts)))
    return sorted(made, key=lambda match: not match.whole)


def as_toml(made: Sequence[Match], file: Path) -> str:
    """Return the list of pairs, to be written to a file; paths are relative to it."""
    parts = [_HEAD.format(file=file.name)]
    for match in made:
        lines = [f"[pair.{match.name}]"]
        lines += [f"{c.side} = {json.dumps(f'{os.path.relpath(c.file, file.parent)}:{c.name}')}" for c in match.sides]
        alone = ["no counterpart was found, so it is checked alone; give the other side"] if not match.whole else []
        lines = [f"# TODO: {doubt}" for doubt in (*match.doubts, *alone)] + lines
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def _counterpart(candidate: Candidate, others: Sequence[Candidate]) -> tuple[Candidate | None, list[str]]:
    """Return what may be the other side, and what is doubtful about it; a gradient comes before a plain function."""
    same = [c for c in others if c.key == candidate.key]
    doubts = []
    if not same:
        near = get_close_matches(candidate.key, [c.key for c in others if c.gradient], n=1, cutoff=_ALIKE)
        same = [c for c in others if c.gradient and c.key in near]
        doubts += [f"the names are alike, and not the same: {candidate.name}, {same[0].name}"] if same else []
    if not same:
        return None, []
    best, *rest = sorted(same, key=lambda c: (not c.gradient, c.wanted != candidate.wanted, str(c.file)))
    doubts += [f"{', '.join(f'{c.file.name}:{c.name}' for c in rest)} may be meant too"] if rest else []
    return best, [*doubts, *_differences(candidate, best)]


def _differences(one: Candidate, other: Candidate) -> Iterator[str]:
    if one.wanted != other.wanted:
        said = [f"{c.side} takes ({', '.join(c.arguments)})" for c in (one, other)]
        yield f"{' and '.join(said)}: say what they are called with, input = [...], static = [...]"


def _unused(name: str, used: set[str]) -> str:
    found, k = name, 2
    while found in used:
        found, k = f"{name}_{k}", k + 1
    return found
