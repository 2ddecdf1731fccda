"""What a cause is, and where all of them are; a file in ``faults`` is found by itself."""

import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from inspect import cleandoc
from typing import Final

from porting.backends import BACKENDS
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.example import Arrays, Example
from porting.errors import PortingError

SURROGATE: Final = (
    "Name the NumPy function that it is the derivative of: --surrogate-of FUNCTION "
    "(surrogate_of=…, Contract(gradient_of=…))."
)
ACCEPTED: Final = "Accept the difference, with its reason, in a file: --known FILE (known_differences=…)."
_PAGE: Final = "`porting explain {}` says how it comes about."  # of a backend that has no fix for it
ORDER: Final = (
    "Refuse the second derivative (@once_differentiable, tf.raw_ops.PreventGradient) and promise --contract order=1 "
    "(Contract(order=1))."
)

Detector = Callable[[Evidence], str | None]
Repair = Callable[[Evidence, Example], Arrays | None]


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
    meant : str
        What to do where it is no fault: how to say so.
    alone : bool
        Whether a side shows it by itself. Any other cause of a pair without an oracle holds if the other side is right.
    detect : callable
        Takes the evidence; returns the numbers seen, or `None`.
    repair : callable, optional
        Undoes it in the numbers: takes the evidence and an example, and returns the gradients as they would be without
        this fault, or `None` where it cannot. A cause is not named if its repair makes an element worse.
    beside : bool
        Whether it harms others, and explains no wrong number of its own side.
    of_values : bool
        Whether it explains wrong values, whatever it leaves of the gradients.
    of_digits : bool
        Whether it explains lost digits only: values that are wrong by more have another cause, which comes first.
    of_gradients : bool
        Whether it explains no value of the forward, which may be wrong beside it.
    by_input : bool
        Whether it is looked for in the gradient of one input too, as if those of the others were right.
    """

    name: str
    title: str
    kind: str
    rank: int
    why: str
    meant: str
    alone: bool
    detect: Detector
    repair: Repair | None = None
    beside: bool = False
    of_values: bool = False
    of_digits: bool = False
    of_gradients: bool = False
    by_input: bool = False

    @property
    def fixes(self) -> dict[str, str]:
        """The fix in each framework, by the backend's key, where the backend has one."""
        return {key: backend.fixes[self.name] for key, backend in BACKENDS.items() if self.name in backend.fixes}

    def fix(self, runner: str, *, oracle: bool = False) -> str:
        """Return what to do in a framework, and what to do if it is meant so; an oracle says of what it is."""
        advice = self.fixes.get(runner, _PAGE.format(self.name))
        told = self.meant and not (oracle and self.meant == SURROGATE)
        return f"{advice} Meant so? {self.meant}" if told else advice


_FOUND: dict[str, Cause] = {}


def cause(
    *,
    rank: int,
    alone: bool = False,
    kind: str = "fault",
    meant: str = "",
    repair: Repair | None = None,
    beside: bool = False,
    of_values: bool = False,
    of_digits: bool = False,
    of_gradients: bool = False,
    by_input: bool = False,
) -> Callable[[Detector], Detector]:
    """Register a detector as the cause of its own name; its docstring is the title and the page."""

    def register(detect: Detector) -> Detector:
        title, _, why = cleandoc(detect.__doc__ or "").partition("\n")
        name = detect.__name__
        why = "\n\n".join(" ".join(paragraph.split()) for paragraph in why.strip().split("\n\n"))
        what = (repair, beside, of_values, of_digits, of_gradients, by_input)
        _FOUND[name] = Cause(name, title, kind, rank, why, meant, alone, detect, *what)
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
