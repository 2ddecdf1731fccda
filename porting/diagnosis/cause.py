"""What a cause is, and where all of them are; a file in ``faults`` is found by itself."""

import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from inspect import cleandoc

from porting.diagnosis.evidence import Evidence
from porting.errors import PortingError

Detector = Callable[[Evidence], str | None]


class CauseError(PortingError, LookupError):
    """No cause has this name; the message shows the nearest ones."""


@dataclass(frozen=True)
class Cause:
    """One reason why gradients differ.

    Attributes
    ----------
    name, title : str
        ``wrong_sign`` and one sentence.
    kind : str
        One of `porting.parity.finding.KINDS`.
    rank : int
        Causes are tried in the order of their ranks: those that explain everything else first.
    why : str
        How it comes about, and what it does.
    torch, tf : str
        The fix in each framework.
    alone : bool
        Whether a side shows it by itself. Any other cause of a pair without an oracle holds if the other side is right.
    detect : callable
        Takes the evidence; returns the numbers seen, or `None`.
    """

    name: str
    title: str
    kind: str
    rank: int
    why: str
    torch: str
    tf: str
    alone: bool
    detect: Detector


_FOUND: dict[str, Cause] = {}


def cause(
    *, rank: int, alone: bool = False, kind: str = "fault", torch: str, tf: str
) -> Callable[[Detector], Detector]:
    """Register a detector as the cause of its own name; its docstring is the title and the page."""

    def register(detect: Detector) -> Detector:
        title, _, why = cleandoc(detect.__doc__ or "").partition("\n")
        name = detect.__name__
        why = "\n\n".join(" ".join(paragraph.split()) for paragraph in why.strip().split("\n\n"))
        _FOUND[name] = Cause(name, title, kind, rank, why, cleandoc(torch), cleandoc(tf), alone, detect)
        return detect

    return register


@cache
def causes() -> dict[str, Cause]:
    """Return all causes by name, in the order of their ranks."""
    package = import_module("porting.diagnosis.faults")
    for info in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        import_module(info.name)
    return {c.name: c for c in sorted(_FOUND.values(), key=lambda c: (c.rank, c.name))}


def named(name: str) -> Cause:
    """Return a cause by its name; dashes and spaces count as underscores.

    Raises
    ------
    CauseError
        If there is none.
    """
    wanted = name.strip().lower().replace("-", "_").replace(" ", "_")
    if wanted not in causes():
        near = get_close_matches(wanted, causes(), n=3, cutoff=0.4)
        hint = f"did you mean {', '.join(near)}?" if near else "`porting explain` lists them."
        raise CauseError(f"no cause is called {name!r}; {hint}")
    return causes()[wanted]
