"""Numbers to check with: inputs, cotangents, special values. Everything follows from a seed and labels."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final
from zlib import crc32

import numpy as np

from porting.dtypes import as_dtype, largest, smallest_normal, unit_roundoff
from porting.errors import PortingError

Array = np.ndarray[Any, Any]
Bounds = tuple[float, float] | range | None

KINK_MARGIN: Final = 0.02  # further than any step of a finite difference at unit scale
_AT_AN_END: Final = 0.25  # share of the draws of a single number
# Generic, saturated, exp overflows in float16, float32, float64; then beyond 20, where PyTorch's softplus is its input:
# last, as where a number stands in a row follows from where it stands here.
_MAGNITUDES: Final = (1.0, 5.0, 30.0, 95.0, 720.0, 21.0)
_KNEES: Final = (0.5, 2.0, 3.0, 6.0)  # of hard activations and of clips, beside 1: as generic as that


class SampleError(PortingError, ValueError):
    """No numbers can be found to check with."""


def generator(seed: int, *labels: str) -> np.random.Generator:
    """Return a generator that depends on the seed and on each label, the same in every process."""
    return np.random.default_rng([seed, *(crc32(label.encode()) for label in labels)])


def draw(
    rng: np.random.Generator, shape: tuple[int, ...], dtype: str, bounds: Bounds = None, scale: float = 1.0
) -> Array:
    """Draw one input.

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of randomness.
    shape : tuple of int
        Shape of the input.
    dtype : str
        The floating type that the numbers are rounded to.
    bounds : (low, high) or range, optional
        Uniform between low and high. Both ends are included: as the first two elements, or sometimes as the only
        element. Integers if a range is given. Normal if not given; if one end is infinite, normal beyond the other end.
    scale : float
        Standard deviation of the normal numbers.

    Returns
    -------
    numpy.ndarray
        Floats of the type, or int64.
    """
    if isinstance(bounds, range):
        return np.asarray(rng.integers(bounds.start, bounds.stop, shape))
    if bounds is None:
        return np.asarray(scale * rng.standard_normal(shape)).astype(as_dtype(dtype))
    ends = [end for end in bounds if np.isfinite(end)]
    if len(ends) == len(bounds):
        x = np.asarray(rng.uniform(*bounds, shape))
    else:  # normal numbers, turned to the side that is open
        x = np.asarray(scale * rng.standard_normal(shape))
        x = ends[0] + np.abs(x) * (1 if ends[0] == bounds[0] else -1) if ends else x
    if x.size > 1:
        x.reshape(-1)[: min(len(ends), x.size)] = ends[: x.size]
    elif ends and rng.random() < _AT_AN_END:  # a single number is mostly an ordinary one
        x = np.full(shape, rng.choice(ends))
    return x.astype(as_dtype(dtype))


def cotangent(rng: np.random.Generator, shape: tuple[int, ...], dtype: str) -> Array:
    """Draw a cotangent: random signs, magnitudes from 0.1 to 10, to find a gradient that ignores or clips it."""
    magnitude = 10 ** rng.uniform(-1, 1, shape)
    return np.asarray(magnitude * rng.choice([-1.0, 1.0], shape)).astype(as_dtype(dtype))


def special_values(dtype: str) -> list[tuple[float, ...]]:
    """Return numbers at which hand-written gradients break: zeros, the smallest, the ends of exp's range; both signs.

    An op may look at the largest of its numbers and choose one branch for all of them. So only numbers of one magnitude
    are put together.
    """
    magnitudes = [0.0, smallest_normal(dtype), *(m for m in _MAGNITUDES if m <= largest(dtype))]
    return [(m, -m, *(sign * knee for knee in _KNEES for sign in (1, -1) if m == 1)) for m in magnitudes]


def near(x: Array, kinks: Sequence[Any], dtype: str, margin: float = KINK_MARGIN) -> Array:
    """Mark the elements of `x` that are within the margin, or within rounding, of one of the kinks."""
    x64 = x.astype(np.float64)
    close = np.zeros(x.shape, dtype=bool)
    for kink in kinks:
        reach = np.maximum(margin, 8 * unit_roundoff(dtype) * (np.abs(x64) + np.abs(kink)))
        close |= np.abs(x64 - kink) <= reach
    return close


def move_off_kinks(
    inputs: Mapping[str, Array],
    kinks: Callable[[Mapping[str, Array]], Mapping[str, Sequence[Any]]],
    redraw: Callable[[str, tuple[int, ...]], Array],
    dtype: str,
) -> dict[str, Array]:
    """Redraw the elements that lie near a kink, at most 50 times.

    Parameters
    ----------
    inputs : mapping of name to array
        The inputs, not changed.
    kinks : callable
        Gives the kinks of each input at given inputs.
    redraw : callable
        Draws new numbers for an input.
    dtype : str
        The type whose rounding widens the margin.

    Raises
    ------
    SampleError
        If elements stay near a kink: the domain leaves no room beside it.
    """
    moved = dict(inputs)
    for _ in range(50):
        stuck = {name: near(moved[name], found, dtype) for name, found in kinks(moved).items()}
        if not any(mask.any() for mask in stuck.values()):
            return moved
        for name, mask in stuck.items():
            moved[name] = np.where(mask, redraw(name, mask.shape), moved[name])
    names = ", ".join(name for name, mask in stuck.items() if mask.any())
    raise SampleError(f"no sample away from the kinks of {names}: the domain leaves no room beside them")
