"""How far an answer may be from the truth, without the further points that rule R* asks about where it is near.

R* adds to what one rounding costs what the formula's cancellation and the inputs' rounding cost, see `tolerance`. The
first part needs the truth alone, a share of the others one further point each. An answer within half of a part is
within the whole, so that the rest is not computed: a comparison then says that its error is at most such a share of
the tolerance.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import numpy as np

from porting.dtypes import wide
from porting.numeric import tolerance
from porting.numeric.compare import where_defined
from porting.parity.truth import (
    few_tolerances,
    growth,
    natural_scale,
    ordinary_size,
    value_tolerance,
    vjp_of,
    vjp_tolerance,
)
from porting.runners import Case, Outcome

Array = np.ndarray[Any, Any]
Arrays = tuple[Array, ...]
_NEAR: Final = 0.5  # of what is allowed at least


def of_value(
    case: Case, dtype: str, seed: int, outcome: Outcome, want: Arrays, worst: Sequence[float] = (), *, rows: bool
) -> Arrays:
    """Return the tolerance of each output, or a part of it, if that decides; see `where_near`."""

    def parts() -> Iterator[Arrays]:
        yield tolerance.least_of_value(want, dtype, ordinary_size(case), rows=rows)
        if case.dy is not None:
            yield few_tolerances(case, dtype, seed, rows=rows)[: len(case.dy)]

    return where_near(case, outcome.value, want, parts(), worst) or value_tolerance(case, dtype, seed, rows=rows)


def of_vjp(
    case: Case,
    dtype: str,
    seed: int,
    outcome: Outcome,
    want: Sequence[Array | None],
    worst: Sequence[float] = (),
    *,
    rows: bool,
) -> Arrays:
    """Return the tolerance of each gradient, or a part of it, if that decides; see `where_near`."""
    got = [np.zeros_like(b) if dx is None and b is not None else dx for dx, b in zip(outcome.vjp, want, strict=False)]
    if case.op.truth != "oracle":
        got, want = where_defined(outcome.value, got), where_defined(outcome.value, want)
    known = tuple(b for b in want if b is not None)
    return of_gradients(case, dtype, seed, got, known, worst, rows=rows)


def of_gradients(
    case: Case,
    dtype: str,
    seed: int,
    got: Sequence[Array | None],
    want: Arrays,
    worst: Sequence[float] = (),
    *,
    rows: bool,
) -> Arrays:
    """Return the same for gradients of whoever was asked."""

    def parts() -> Iterator[Arrays]:
        yield least_of_vjp(case, dtype, want, rows=rows)
        yield few_tolerances(case, dtype, seed, rows=rows)[len(case.dy or ()) :]

    return where_near(case, got, want, parts(), worst) or vjp_tolerance(case, dtype, seed, rows=rows)


def least_of_vjp(case: Case, dtype: str, want: Sequence[Array], *, rows: bool) -> Arrays:
    """Return what is allowed of each gradient at least."""
    scale = natural_scale("gradient", vjp_of(case), case) * growth(case, rows=rows)
    return tolerance.least_of_gradient(want, [wide(v) for v in case.dy or ()], dtype, scale, rows=rows)


def where_near(
    case: Case, got: Sequence[Array | None], want: Arrays, parts: Iterable[Arrays], worst: Sequence[float] = ()
) -> Arrays:
    """Return the first part of the tolerances that decides; nothing where none does, or it is recorded or replayed.

    Parameters
    ----------
    case : Case
        What was asked.
    got, want : sequence of numpy.ndarray
        What came, and the truth.
    parts : iterable of tuple of numpy.ndarray
        Of the tolerances, from small to large.
    worst : sequence of float
        How far off each array was in another case, in units of its tolerance: what is far off here, and not farther,
        changes no verdict. It is not judged, which an infinite tolerance says.
    """
    if case.op.memory is not None or len(got) != len(want):
        return ()
    ratios = worst or (0.0,) * len(want)
    for part in parts:
        if len(part) == len(ratios) == len(want):
            found = [_deciding(*those) for those in zip(got, want, part, ratios, strict=True)]
            if all(tol is not None for tol in found):
                return tuple(tol for tol in found if tol is not None)
    return ()


def _deciding(got: Array | None, want: Array, allowed: Array, worst: float) -> Array | None:
    """Return a part of a tolerance, infinite where an element is not judged; nothing if it does not decide."""
    near = _near(got, want, allowed)
    if got is None or near is None:
        return None
    if near.all():
        return allowed
    if not worst or np.iscomplexobj(want):  # of which the parts are judged
        return None
    with np.errstate(all="ignore"):
        off = np.abs(wide(got) - want)[~near]
        known = np.isfinite(off) & (off <= worst * allowed[~near])
    return np.where(near, allowed, np.inf) if known.all() else None


def is_near(got: Array | None, want: Array, allowed: Array) -> bool:
    """Whether an array is so near the truth that what is allowed at least need not be known any better."""
    near = _near(got, want, allowed)
    return near is not None and bool(near.all())


def _near(got: Array | None, want: Array, allowed: Array) -> Array | None:
    """Mark the elements that are near; nothing if the shapes differ."""
    if got is None or not got.shape == want.shape == allowed.shape:
        return None
    with np.errstate(all="ignore"):
        kind = np.complex128 if np.iscomplexobj(want) or np.iscomplexobj(got) else np.float64  # a mask is 0 and 1
        a, b = got.astype(kind), want.astype(kind)
        return np.asarray((np.abs(a - b) <= _NEAR * allowed) | (a == b) | (np.isnan(a) & np.isnan(b)))
