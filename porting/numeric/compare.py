"""Element by element comparison with an oracle: NaN and infinity first, then the worst finite element."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from porting.dtypes import as_dtype, is_float, largest, wide

Array = np.ndarray[Any, Any]
_NEAR: Final = 1e-5  # of the largest element: some hundred roundings of float32
_MATRIX: Final = 2  # axes, at least
_EXACT: Final = 1e-3  # float32 gives nobody eigenvectors that are less exact than that
_MEETING: Final = 1e-2  # of the product of two lengths: what the terms of their inner product come to, at least


class Difference(NamedTuple):
    """The result of a comparison.

    `bad` elements of `total` differ. `excused` elements overflow the type, or lie on a kink that the type cannot
    represent. `place` is the worst element and `ratio` its error in units of the tolerance. If it is bad, `ulp` is its
    error and `allowed` the tolerance, both in units in the last place.
    """

    bad: int
    total: int
    excused: int
    place: tuple[int, ...]
    got: float
    want: float
    ratio: float
    ulp: float
    allowed: float


def outside(nan: Sequence[Array], shape: tuple[int, ...]) -> Array:
    """Mark the elements of an array of a shape where a function has no output, given where each output is no number.

    An output of the same shape says so element by element, another one if it has no number at all.
    """
    masks = [n if n.shape == shape else np.full(shape, n.all()) for n in nan]
    return np.asarray(np.logical_and.reduce(masks))


def where_defined(outputs: Sequence[Array], arrays: Sequence[Array | None]) -> list[Array | None]:
    """Return gradients that are no numbers where no output is one: whatever they are there, nothing is wrong by it.

    ``1 / clamp(x, eps)`` as the gradient of a logarithm is 1e16 for all x < 0, and says nothing of other elements.
    """
    nan = [np.isnan(y) for y in outputs]
    if not nan or not all(n.any() for n in nan):
        return [*arrays]
    return [g if g is None else np.where(outside(nan, g.shape), np.nan, g) for g in arrays]


def compare(got: Array, want: Array, tolerance: Array, dtype: str, excused: Array | None = None) -> Difference:
    """Compare an array with the oracle's.

    Parameters
    ----------
    got : numpy.ndarray
        The array to judge, of any numeric type.
    want, tolerance : numpy.ndarray
        float64 arrays of the same shape.
    dtype : str
        The type of the computation. Elements for which the oracle is beyond the largest number of this type, or within
        one rounding error of it (an infinite tolerance), are excused as overflow.
    excused : numpy.ndarray of bool, optional
        Further elements that are not judged.

    Returns
    -------
    Difference
        `bad == 0` means agreement. NaN agrees with NaN only, infinity with the same infinity.

    Raises
    ------
    ValueError
        If the shapes differ.
    """
    if got.shape != want.shape:
        raise ValueError(f"shape {got.shape} cannot be compared with {want.shape}")
    with np.errstate(all="ignore"):  # a signalling NaN, too
        a, b = got.astype(np.float64), want.astype(np.float64)
        skip = (np.abs(b) > largest(dtype)) | ~np.isfinite(tolerance)
        if excused is not None:
            skip = skip | excused
        error = np.abs(a - b)
        ratio = error / tolerance
        if not (ratio <= 1).all():  # NaN, infinity, or zero by zero may be among them
            ratio = np.where((a == b) | (np.isnan(a) & np.isnan(b)), 0.0, ratio)
            ratio = np.where(np.isfinite(a) != np.isfinite(b), np.inf, ratio)
    if not ratio.size:
        return Difference(0, 0, 0, (), 0.0, 0.0, 0.0, 0.0, 0.0)
    skipped = int(np.count_nonzero(skip))
    if skipped:
        ratio = np.where(skip, 0.0, ratio)
    worst = np.unravel_index(np.argmax(ratio), ratio.shape)
    wrong = int(np.count_nonzero(ratio > 1)) if ratio[worst] > 1 else 0
    ulp = allowed = 0.0
    if wrong:
        with np.errstate(all="ignore"):
            one = _spacing(b[worst], dtype)
            ulp, allowed = float(error[worst] / one), float(tolerance[worst] / one)
    return Difference(
        bad=wrong,
        total=ratio.size - skipped,
        excused=skipped,
        place=tuple(map(int, worst)),
        got=float(a[worst]),
        want=float(b[worst]),
        ratio=float(ratio[worst]),
        ulp=ulp,
        allowed=allowed,
    )


def in_single(got: Array, want: Array) -> str:
    """Tell which of two float64 arrays that are nearly the same was computed in float32.

    Returns
    -------
    str
        ``got`` or ``want``: the one whose numbers all are float32's; empty if both, neither, or they are far apart.
    """
    with np.errstate(all="ignore"):
        numbers = ~(np.isnan(got) & np.isnan(want))  # beside a NaN that both have
        got, want = got[numbers], want[numbers]
        near = nearly(got, want)
        mine, theirs = (bool((a == a.astype(np.float32)).all()) for a in (got, want))
    return "" if not near or mine == theirs else "got" if mine else "want"


def of_float32(a: Array) -> bool:
    """Whether all numbers are float32's, and need its digits."""
    with np.errstate(all="ignore"):
        return np.array_equal(a, a.astype(np.float32)) and not np.array_equal(a, a.astype(np.float16))


def nearly(got: Array, want: Array) -> bool:
    """Whether no element is off by more than a hundred thousandth of the largest one; a NaN on both sides is not."""
    there = np.isfinite(want)
    with np.errstate(all="ignore"):
        near = np.abs(got - want) <= _NEAR * np.abs(want[there]).max(initial=0.0)
    return bool((near | (got == want) | (np.isnan(got) & np.isnan(want))).all())


def _spacing(x: float, dtype: str) -> float:
    """Return one unit in the last place at x, in a type that `np.spacing` may know only as an extension."""
    at = np.asarray(x).astype(as_dtype(dtype))
    if not (is_float(at) and np.isfinite(at)):
        return float("nan")
    return abs(float(np.spacing(at)))


def signs(got: Array, want: Array, tolerance: Array) -> str:
    """Say whether two arrays of orthogonal vectors, as of an eigenproblem, differ only by the vectors' signs.

    Returns
    -------
    str
        ``some`` or ``all`` of the vectors, along the rows or the columns, have the other sign; empty if that is not so.
    """
    for axis in (-2, -1):
        sign = signs_along(got, want, tolerance, axis)
        if sign is not None and (sign < 0).any():
            return "some" if (sign > 0).any() else "all"
    return ""


def signs_along(got: Array, want: Array, tolerance: Array, axis: int) -> Array | None:
    """Return the sign of each vector beside that of another array, if nothing else differs; they lie along an axis.

    The vectors are orthogonal and have length 1, or any length, as the columns of U S do. Those of any length are
    orthogonal by a sum whose terms cancel: the rows of a diagonal matrix share no element, and their signs are nobody's
    choice.
    """
    if want.ndim < _MATRIX or not want.size:
        return None
    with np.errstate(all="ignore"):
        a, b = (np.moveaxis(wide(x), axis, -1) for x in (got, want))  # a vector in each row
        sign = np.sign((a * b).sum(axis=-1, keepdims=True))
        same = np.abs(sign * a - b) <= np.moveaxis(tolerance, axis, -1)
        return sign if same.all() and _are_orthogonal(b) else None


def _are_orthogonal(rows: Array) -> bool:
    """Whether the rows are orthogonal vectors: of length 1, or several of any length whose elements meet."""
    length = np.linalg.norm(rows, axis=-1)
    both = length[..., :, None] * length[..., None, :]
    itself = np.eye(rows.shape[-2], dtype=bool)
    product, met = rows @ np.swapaxes(rows, -1, -2), np.abs(rows) @ np.swapaxes(np.abs(rows), -1, -2)
    apart = (np.abs(product) <= _EXACT * both) | itself
    meeting = (met >= _MEETING * both) | itself
    unit = np.abs(length**2 - 1) <= _EXACT
    return bool(apart.all() and (unit.all() or (rows.shape[-2] > 1 and (length > 0).all() and meeting.all())))


def same_but_ones(one: Sequence[int], other: Sequence[int]) -> bool:
    """Whether two shapes are the same but for axes of length 1: then each number has one place in both."""
    return [n for n in one if n != 1] == [n for n in other if n != 1]


def sum_to(a: Array, shape: tuple[int, ...]) -> Array | None:
    """Sum an array over the axes along which `shape` was broadcast to it."""
    if a.ndim < len(shape):
        return None
    summed = a.sum(tuple(range(a.ndim - len(shape)))) if a.ndim > len(shape) else a
    axes = tuple(k for k, (n, m) in enumerate(zip(summed.shape, shape, strict=True)) if m == 1 < n)
    summed = summed.sum(axes, keepdims=True) if axes else summed
    return summed if summed.shape == shape else None
