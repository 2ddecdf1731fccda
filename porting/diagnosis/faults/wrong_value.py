"""The forward."""

import math
from typing import Final

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.example import Arrays, Example, alike, size
from porting.parity.finding import Worst

_NOTHING: Final = 1e-5  # of the error of the gradient
_WIDE: Final = "float64"
_DIFFERENCES: Final = 1e-5  # of the largest element: they are right to some ten digits


def _explained(e: Evidence, example: Example) -> Arrays:
    """Put right a gradient that is that of this forward, or right but for lost digits; another one is no part of it."""
    if not e.differs("adjoint") or not example.gross or _is_its_own(e, example):
        return example.want
    return example.got


@cause(
    rank=37,
    repair=_explained,
    of_values=True,
)
def wrong_value(e: Evidence) -> str | None:
    """The forward computes another function.

    The values differ before any gradient does: another constant, default, axis or branch than on the other side.
    """
    found = next((f for f in e.findings("value", "differs") if "signs" not in f.fields), None)  # which are free
    if found is None or e.raised is not None or (found.worst and not math.isfinite(found.worst.got)):
        return None
    if e.example is not None and found.worst is not None and _is_rounding(found.worst, e.example):
        return None
    if found.lacks_digits("got"):  # and the formula is right
        return None
    if any((r.check, r.dtype, r.status) == ("value", _WIDE, "agree") for r in e.results):
        return None  # of a narrower type only: digits are lost
    return found.seen


def _is_rounding(worst: Worst, example: Example) -> bool:
    """Whether the forward is off by next to nothing beside what the gradient is off by."""
    off = max(size(example.got[n] - example.want[n]) / max(size(example.want[n]), 1e-300) for n in example.wrong)
    return abs(worst.got - worst.want) < _NOTHING * off * abs(worst.want)


def _is_its_own(e: Evidence, example: Example) -> bool:
    """Whether the gradient of an input that differs from the truth is that of the side's own forward."""
    own = e.own(example.case)
    names = [n for n in example.wrong if own is not None and size(own[n])]
    return any(alike({n: example.got[n]}, {n: own[n]}, _DIFFERENCES) for n in names if own is not None)
