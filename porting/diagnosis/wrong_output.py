"""The outputs of everyday cases that are wrong, and the number that they are off by, if it is one number."""

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

import numpy as np

from porting.diagnosis.evidence import Evidence
from porting.diagnosis.example import Array, Example, alike, size
from porting.diagnosis.experiments import SHARES, factor
from porting.dtypes import wide
from porting.errors import NotRecordedError, NoTruthError
from porting.parity.explaining import output_name
from porting.parity.finding import Finding, Worst
from porting.runners import Case

_PROOF: Final = 3  # elements
_OTHER: Final = (7, 5)
_LENGTHS: Final = (5, 6, 7, 8, 9)
_NOTHING: Final = 1e-5  # of the error of the gradient
_WIDE: Final = "float64"
_DIFFERENCES: Final = 1e-5  # of the largest element: they are right to some ten digits


def wrong_output(e: Evidence) -> Finding | None:
    """Return what the check of values found, if it is another number and no lost digits are all of it."""
    found = next((f for f in e.findings("value", "differs") if "signs" not in f.fields), None)  # which are free
    if found is None or e.raised is not None or (found.worst and not math.isfinite(found.worst.got)):
        return None
    if e.example is not None and found.worst is not None and _is_rounding(found.worst, e.example):
        return None
    if found.lacks_digits("got"):  # and the formula is right
        return None
    if any((r.check, r.dtype, r.status) == ("value", _WIDE, "agree") for r in e.results):
        return None  # of a narrower type only: digits are lost
    return found


def gradients_beside(e: Evidence, example: Example) -> dict[str, Array]:
    """Put right gradients that are those of this forward, or right but for lost digits; others are no part of it."""
    if not e.differs("adjoint") or not example.gross or _is_its_own(e, example):
        return dict(example.want)
    return dict(example.got)


def factors_of_outputs(e: Evidence) -> dict[str, float]:
    """Return of what number of the true output each wrong one is a multiple; nothing if one of them is of none.

    The elements of all everyday cases of one choice of statics are looked at together.
    """
    names = {str(f.fields["name"]) for f in e.findings("value", "differs")}
    everyday = [case for case in e.ordinary if case.statics == e.ordinary[0].statics]
    found = {name: factor for name, factor in _factors(e, everyday).items() if name in names}
    return found if found.keys() == names else {}


def told(e: Evidence, found: Mapping[str, float]) -> str:
    """Return such numbers in words, with what they are for other lengths."""
    there = _factors(e, _of_other_lengths(e)) if found else {}
    return ", ".join(
        f"{name} is {factor:.12g}{_elsewhere(factor, there.get(name))} times the true one"
        for name, factor in found.items()
    )


def _elsewhere(factor: float, there: float | None) -> str:
    """Say what the number is for other lengths, which are what it may follow from."""
    return "" if there is None or np.isclose(factor, there, SHARES[-1]) else f" ({there:.6g} for other lengths)"


def _of_other_lengths(e: Evidence) -> list[Case]:
    with suppress(NoTruthError, NotRecordedError):
        return [e.probe(e.dtype).case(f"lengths {k}", shape=_OTHER, lengths=_LENGTHS) for k in range(_PROOF)]
    return []


def _factors(e: Evidence, cases: Sequence[Case]) -> dict[str, float]:
    """Return by output of what number of the true elements all elements of some cases are multiples."""
    found: dict[str, list[tuple[Array, Array]]] = {}
    for case in cases:
        with suppress(NoTruthError, NotRecordedError):
            got, want = e.outcome(case).value, e.probe(e.dtype).truth(replace(case, dy=None)).value
            for k, (y, truth) in enumerate(zip(got, want, strict=False)):
                if y.shape == truth.shape:
                    found.setdefault(output_name(k, len(want)), []).append((wide(y).ravel(), wide(truth).ravel()))
    joined = {name: map(np.concatenate, zip(*pairs, strict=True)) for name, pairs in found.items()}
    return {name: factor for name, (a, b) in joined.items() if (factor := _factor(a, b))}


def _factor(a: Array, b: Array) -> float | None:
    """Return the number, if there is one: of elements that are all the same nothing tells it from a term."""
    if np.count_nonzero(b) < _PROOF or (b == b[0]).all() or np.iscomplexobj(a) or np.iscomplexobj(b):
        return None
    return factor(a, b)


def _is_rounding(worst: Worst, example: Example) -> bool:
    """Whether the forward is off by next to nothing beside what the gradient is off by."""
    off = max(size(example.got[n] - example.want[n]) / max(size(example.want[n]), 1e-300) for n in example.wrong)
    return abs(worst.got - worst.want) < _NOTHING * off * abs(worst.want)


def _is_its_own(e: Evidence, example: Example) -> bool:
    """Whether the gradient of an input that differs from the truth is that of the side's own forward."""
    own = e.own(example.case)
    names = [n for n in example.wrong if own is not None and size(own[n])]
    return any(alike({n: example.got[n]}, {n: own[n]}, _DIFFERENCES) for n in names if own is not None)
