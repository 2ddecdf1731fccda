"""The options with which a translation is checked, and the words for its first lines."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from math import inf, isfinite
from pathlib import Path
from tempfile import gettempdir
from time import monotonic
from typing import TYPE_CHECKING, Any, Self

from porting.port.discover import Unit
from porting.port.header import printable
from porting.translate.dialects import FRAMEWORKS, TITLES
from porting.translate.module import Translator
from porting.translate.read.source import Source

if TYPE_CHECKING:
    from porting.pairs.array import Array
    from porting.port.proof import Proof


@dataclass(frozen=True)
class Checking:
    """How a translation is checked.

    Attributes
    ----------
    inputs, statics : mapping
        The arguments of the function; read off its signature if not given.
    dtypes : sequence of str
        Those of the inputs when not given.
    timeout : float
        Seconds for one check.
    jobs : int
        Number of worker processes.
    budget : float
        Seconds for all checks of one gradient.
    until : float
        When they are over, on the clock `time.monotonic`.
    on_check : callable, optional
        Called after each check of a gradient with how many are done, and of how many.
    """

    inputs: "Mapping[str, Array]" = field(default_factory=dict)
    statics: Mapping[str, Any] = field(default_factory=dict)
    dtypes: Sequence[str] = ()
    timeout: float = 60.0
    jobs: int = 1
    budget: float = inf
    until: float = inf
    on_check: Callable[[int, int], None] | None = None

    def begun(self) -> Self:
        """Return the same for one gradient, whose time begins now."""
        return replace(self, until=monotonic() + self.budget)

    @property
    def left(self) -> float | None:
        """The seconds that are left; none where there is no limit."""
        return max(self.until - monotonic(), 0.0) if isfinite(self.until) else None

    @property
    def is_over(self) -> bool:
        """Whether no time is left."""
        return self.left == 0.0

    @property
    def asked(self) -> dict[str, Any]:
        """The options of `porting.check` that are the same for each check of a gradient."""
        done = count(1)
        totals: list[int] = []
        on_check = self.on_check
        told: dict[str, Any] = {}
        if on_check:
            told = {"on_start": totals.append, "on_result": lambda _: on_check(next(done), sum(totals))}
        return {"isolate": True, "timeout": self.timeout, "jobs": self.jobs, "budget": self.left, **told}


def lacking() -> str:
    """Say which framework is not installed, so that nothing can be checked; empty if both are."""
    from porting.runners import RUNNERS

    reasons = [RUNNERS[key].missing() for key in FRAMEWORKS]
    return "; ".join(reason for reason in reasons if reason)


def loadable(source: Source, unit: Unit, name: str, folder: Path) -> str:
    """Return the name by which a worker loads the source; a module of a package is loaded as part of this package."""
    path = unit.path.resolve()
    parts = [path.stem]
    while (path.parent / "__init__.py").is_file():
        path = path.parent
        parts.insert(0, path.name)
    paths = Translator(source, unit.of, unit.to).names.imported.values()
    if len(parts) == 1 or not any(p.startswith((".", f"{parts[0]}.")) for p in paths):
        return f"{unit.path}:{name}"
    parts = parts[:-1] if parts[-1] == "__init__" else parts
    adapter, around = folder / f"source_of_{name.replace('.', '_')}.py", name.partition(".")[0]
    adapter.write_text(
        f"import sys\n\nsys.path.insert(0, {str(path.parent)!r})\nfrom {'.'.join(parts)} import {around} as {around}\n",
        encoding="utf-8",
    )
    return f"{adapter}:{name}"


def without(folder: Path, said: str) -> str:
    """Return a message without the names of temporary folders: ours, and those of the checks."""
    for place in dict.fromkeys((str(folder), str(folder.resolve()))):
        said = said.replace(f"{place}/", "")
    said = re.sub(rf"{re.escape(gettempdir())}/porting-[^/\s]+/(?:\d+/)?", "", said)
    return printable(said).rstrip(":. ")


def inputs(proof: "Proof", called: str) -> str:
    """Return the arguments that both functions were called with, written as a call of the translation."""
    described = proof.report.described[0] if proof.report and proof.report.described else ""
    return printable(f"{called}({described.partition('   (')[0].partition('(')[2]}") if described else ""


def versions(proof: "Proof") -> str:
    """Return the frameworks that were compared, with their versions."""
    found = proof.report.environment if proof.report else {}
    return " and ".join(f"{TITLES[key]} {found[key]}" for key in FRAMEWORKS if key in found)
