"""How far a right implementation may be from the oracle: rule R*, computed from the oracle only.

For element j of a gradient g = vjp(v), with unit roundoff u of the type that was computed in,

    tol_j = c { u (|g_j| + S_j + max(max_k S_k, J1 max|v|) + D) + kappa_j } + 16 tiny

    S_j      sum over i of |v_i| |J_ij|: the size of the terms that g_j is the sum of
    J1       the same for unit cotangents at ordinary inputs: the op's natural scale; outside the catalogue, of an op
             that mixes elements, times the two largest inputs, where they are above 1 (`porting.parity.truth.growth`)
    D        the oracle's own rounding error in float32, in units of 2^-24: its formula's cancellation
    kappa_j  how much g_j changes when the inputs change by one rounding error
    tiny     smallest normal number: the oracle has denormal numbers where a framework may flush them to 0

c = 16 (float64, float32) and 4 (float16, bfloat16). Values follow the same rule with S_j = |y_j|, and the largest |y|
at ordinary inputs in the place of J1 max|v|. With these constants, and the largest of eight draws as J1, 33,600
comparisons of right implementations gave no false alarm; the largest ratio was 10.8 of 16. J1 is now the median of the
draws, which is never larger (`typical`).
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from porting.dtypes import is_inexact, narrow, smallest_normal, unit_roundoff, wide
from porting.errors import NoTruthError
from porting.numeric.batched import many

Array = np.ndarray[Any, Any]
Arrays = tuple[Array, ...]
Linear = Callable[[Sequence[Array], Sequence[Array]], Arrays]
Draw = Callable[[], tuple[Sequence[Array], Sequence[Array]]]

FACTOR: Final = {"float64": 16.0, "float32": 16.0, "float16": 4.0, "bfloat16": 4.0}
_ONE_HOT_LIMIT: Final = 64
_SIGNS: Final = 8
DRAWS: Final = 8
_FLOAT32: Final = 2.0**-24


def of_value(
    f: Callable[[Sequence[Array]], Arrays],
    inputs: Sequence[Array],
    dtype: str,
    rng: np.random.Generator,
    scale: float,
    *,
    rows: bool = False,
) -> Arrays:
    """Return the tolerance of each output of ``f(inputs)``, float64 arrays of the outputs' shapes.

    Parameters
    ----------
    f : callable
        The oracle's value: takes the sequence of inputs, returns a tuple of arrays, keeps float32 in float32.
    inputs : sequence of numpy.ndarray
        float64 (or integer) arrays, already rounded to `dtype`.
    dtype : str
        The type that was computed in.
    rng : numpy.random.Generator
        For the perturbations.
    scale : float
        The size of ordinary outputs: a formula such as 1/2 + tanh(x)/2 has an error of this size even where its value
        is almost 0.
    rows : bool
        Whether each row along the first axis is a case of its own: a large number in one row allows no error in
        another.
    """
    moved, near = _moved(inputs, dtype, rng), _near(inputs, rng)
    with np.errstate(all="ignore"):
        y, *beside = many(f, [(inputs,), *((x,) for x in moved), *((list(map(wide, x)),) for x in near)])
        coarse = many(f, [(x,) for x in near])
        kappa, worst = _kappa(y, beside[: len(moved)]), _worst(coarse, beside[len(moved) :], rows)
        return _combine(_value_terms(y, scale, rows), kappa, worst, dtype)


def of_gradient(
    vjp: Linear,
    inputs: Sequence[Array],
    v: Sequence[Array],
    dtype: str,
    rng: np.random.Generator,
    scale: float | Array,
    *,
    value_scale: float | None = None,
    rows: bool = False,
) -> Arrays:
    """Return the tolerance of each array of ``vjp(inputs, v)``.

    Parameters
    ----------
    vjp : callable
        The oracle's gradient: takes inputs and cotangents, returns one array per differentiated input.
    inputs, v : sequence of numpy.ndarray
        float64 (or integer) arrays, already rounded to `dtype`.
    dtype : str
        The type that was computed in.
    rng : numpy.random.Generator
        For the perturbations.
    scale : float
        J1, from `natural_scale`, one number or one by row; 0 to leave it out.
    value_scale : float, optional
        The scale of `of_value`, if `vjp` also returns the outputs, one per cotangent, before the gradients. The
        tolerances of the outputs then come first.
    rows : bool
        As for `of_value`.
    """
    outputs = 0 if value_scale is None else len(v)
    zero = [np.zeros_like(a) for a in v]
    moved, near = _moved(inputs, dtype, rng), _near(inputs, rng)  # first, as in `few_of_gradient`
    cotangents, hot = _cotangents(v, rng, rows)

    with np.errstate(all="ignore"):
        here = [(inputs, a) for a in (v, zero, *cotangents[: None if hot else 1])]
        found = many(vjp, [*here, *_asked(v, moved), *_asked(v, [list(map(wide, x)) for x in near])])
        coarse = many(vjp, _asked(v, near))
        (at_v, at_zero, *parts), beside = found[: len(here)], found[len(here) :]
        at_zero = tuple(np.where(np.isnan(g), 0.0, g) for g in at_zero)  # a cotangent over its norm, say
        if not hot and not _alike(at_v, parts[0], at_zero):
            parts += many(vjp, [(inputs, a) for a in cotangents[1:]])
        sizes = _term_sizes(at_zero[outputs:], [part[outputs:] for part in parts], sum(a.size for a in v), hot=hot)
        floor = scale * np.maximum.reduce([flat_peak(a, rows) for a in v]) if v else np.zeros(1)
        gradient_terms = tuple(
            np.abs(a) + s + np.maximum(_peak(s, rows), _beside(floor, s))
            for a, s in zip(at_v[outputs:], sizes, strict=True)
        )
        terms = (*_value_terms(at_v[:outputs], value_scale or 0.0, rows), *gradient_terms)
        kappa, worst = _kappa(at_v, beside[: len(moved)]), _worst(coarse, beside[len(moved) :], rows)
        return _combine(terms, kappa, worst, dtype)


def few_of_gradient(
    vjp: Linear,
    inputs: Sequence[Array],
    v: Sequence[Array],
    dtype: str,
    rng: np.random.Generator,
    scale: float | Array,
    *,
    value_scale: float | None = None,
    rows: bool = False,
) -> Arrays:
    """Return a part of what `of_gradient` allows: D and kappa of one point each, S of one cotangent.

    For the same generator it is never more than the whole tolerance, and it needs four points in place of 18 to 75.
    """
    outputs = 0 if value_scale is None else len(v)
    moved, near = _moved(inputs, dtype, rng)[:1], _near(inputs, rng)[:1]
    with np.errstate(all="ignore"):
        places = [(inputs, v), *_asked(v, moved), *_asked(v, [list(map(wide, x)) for x in near])]
        at_v, *beside, fine = many(vjp, places)
        coarse = many(vjp, _asked(v, near))
        values = _value_terms(at_v[:outputs], value_scale or 0.0, rows)
        terms = (*values, *_least_terms(at_v[outputs:], v, scale, rows))
        return _combine(terms, _kappa(at_v, beside), _worst(coarse, [fine], rows), dtype)


def least_of_value(y: Arrays, dtype: str, scale: float, *, rows: bool = False) -> Arrays:
    """Return the least that `of_value` allows for outputs y: without D and kappa, which need further points."""
    with np.errstate(all="ignore"):
        return _least(_value_terms(y, scale, rows), dtype)


def least_of_gradient(
    g: Sequence[Array], v: Sequence[Array], dtype: str, scale: float | Array, *, rows: bool = False
) -> Arrays:
    """Return the least that `of_gradient` allows for gradients g: without D and kappa.

    S is at least |g| if it comes from one cotangent per output, whose gradients sum up to g; otherwise it is left out.
    """
    with np.errstate(all="ignore"):
        return _least(_least_terms(g, v, scale, rows), dtype)


def _least_terms(g: Sequence[Array], v: Sequence[Array], scale: float | Array, rows: bool) -> Arrays:
    floor = scale * np.maximum.reduce([flat_peak(a, rows) for a in v]) if v else np.zeros(1)
    if not _is_hot(v, rows):
        return tuple(np.abs(a) + _beside(floor, a) for a in g)
    return tuple(2 * np.abs(a) + np.maximum(_peak(a, rows), _beside(floor, a)) for a in g)


def _least(terms: Arrays, dtype: str) -> Arrays:
    nothing = (np.zeros(()),) * len(terms)
    return _combine(terms, nothing, nothing, dtype)


def _value_terms(y: Arrays, scale: float, rows: bool) -> Arrays:
    return tuple(2 * np.abs(a) + np.maximum(_peak(a, rows), scale) for a in y)


def _alike(at_v: Arrays, part: Arrays, zero: Arrays) -> bool:
    """Whether a cotangent of other signs gives gradients of the same sizes: no element is a sum, S is known."""
    sizes = [(np.abs(p - z), np.abs(a - z)) for a, p, z in zip(at_v, part, zero, strict=True)]
    return all(bool(np.allclose(p, a, 1e-9, 0.0, equal_nan=True)) for p, a in sizes)


def natural_scale(vjp: Linear, draw: Draw) -> float:
    """Return J1: the largest S_j / max|v| of an ordinary draw of inputs and of cotangents that are +1 or -1.

    S is taken as |vjp(v) - vjp(0)|: exact for an elementwise op, and of the right size where terms are summed.
    """
    drawn = [draw() for _ in range(DRAWS)]
    points = [(inputs, a) for inputs, v in drawn for a in (v, [np.zeros_like(b) for b in v])]
    found = many(vjp, points)
    return typical([_largest(p, z) for p, z in zip(found[::2], found[1::2], strict=True)])


def _largest(at_v: Arrays, at_zero: Arrays) -> float:
    return max(peak(p - z) for p, z in zip(at_v, at_zero, strict=True))


def typical(sizes: Sequence[float]) -> float:
    """Return the median over the draws: one draw in eight may come near a pole, and is then not ordinary.

    For first gradients in 75 ops of the catalogue (all but four with loops) the largest of the eight is at most 2.3
    times this, except for the quotient: 455 times.
    """
    return float(np.median(sizes))


def _cotangents(v: Sequence[Array], rng: np.random.Generator, rows: bool) -> tuple[list[list[Array]], bool]:
    """Return the cotangents that show S, and whether each has one element (by row) only: of up to 64 outputs."""
    flat = [a.reshape(len(a) if rows else 1, -1) for a in v]
    if not _is_hot(v, rows):
        return [[a * rng.choice([-1.0, 1.0], a.shape) for a in v] for _ in range(_SIGNS)], False
    found = []
    for k, a in enumerate(flat):
        for i in range(a.shape[1]):
            hot = [np.zeros_like(b) for b in v]
            hot[k].reshape(a.shape)[:, i] = a[:, i]
            found.append(hot)
    return found, True


def _is_hot(v: Sequence[Array], rows: bool) -> bool:
    """Whether there are so few outputs (by row) that each has a cotangent for itself."""
    return sum(a.size // (max(len(a), 1) if rows else 1) for a in v) <= _ONE_HOT_LIMIT


def _term_sizes(zero: Arrays, parts: Sequence[Arrays], outputs: int, *, hot: bool) -> Arrays:
    """Return S: exact from one-hot cotangents, else from a root mean square over random signs.

    That is the root of the sum of the terms' squares. An input with fewer elements than there are outputs has n =
    outputs / elements terms or more in each, whose sum is sqrt(n) times as large, if they are alike.

    A vjp that is not linear in v is taken as affine: its value at v = 0 counts once, not once per output.
    """
    apart = [[p - z for p, z in zip(part, zero, strict=True)] for part in parts]
    if hot:
        sums = [sum((np.abs(part[k]) for part in apart), np.zeros(z.shape)) for k, z in enumerate(zero)]
    else:
        terms = [max(1.0, outputs / z.size) if z.size else 1.0 for z in zero]
        sums = [np.sqrt(n * sum(part[k] ** 2 for part in apart) / len(apart)) for k, n in enumerate(terms)]
    return tuple(np.abs(z) + s for z, s in zip(zero, sums, strict=True))


def peak(a: Array) -> float:
    """Return the largest finite magnitude, 0 if there is none."""
    finite = np.abs(a[np.isfinite(a)])
    return float(finite.max()) if finite.size else 0.0


def flat_peak(a: Array, rows: bool) -> Array:
    """Return the largest finite magnitude of each row, or the one of all."""
    flat = a.reshape(len(a), -1) if rows and a.ndim else a.reshape(1, -1)
    return np.asarray(np.where(np.isfinite(flat), np.abs(flat), 0.0).max(axis=1, initial=0.0))


def _peak(a: Array, rows: bool) -> Array:
    return _beside(flat_peak(a, rows), a)


def _beside(peaks: Array, a: Array) -> Array:
    """Return a number by row, or one number, in a shape that goes with an array."""
    return peaks.reshape(-1, *(1,) * (a.ndim - 1)) if a.ndim else peaks.reshape(())


def _moved(inputs: Sequence[Array], dtype: str, rng: np.random.Generator) -> list[list[Array]]:
    """Return the inputs, four times changed by one rounding error each."""
    u = unit_roundoff(dtype)
    return [[x * (1 + u * rng.choice([-1.0, 1.0], x.shape)) if is_inexact(x) else x for x in inputs] for _ in range(4)]


def _near(inputs: Sequence[Array], rng: np.random.Generator) -> list[list[Array]]:
    """Return three points next to the inputs, in float32."""
    return [
        [narrow(x * (1 + 2.0**-20 * rng.uniform(-1, 1, x.shape))) if is_inexact(x) else x for x in inputs]
        for _ in range(3)
    ]


def _asked(v: Sequence[Array], places: Sequence[Sequence[Array]]) -> list[tuple[Sequence[Array], Sequence[Array]]]:
    """Return what a gradient is asked at some places: each with the cotangents in its type."""
    return [(x, _like_inputs(v, x)) for x in places]


def _like_inputs(v: Sequence[Array], inputs: Sequence[Array]) -> list[Array]:
    kind = np.result_type(*(x.dtype for x in inputs if is_inexact(x)))
    real = np.zeros(0, kind).real.dtype  # of an output that is real, as a magnitude is
    return [a.astype(kind if np.iscomplexobj(a) else real) for a in v]


def _kappa(at: Arrays, moved: Sequence[Arrays]) -> Arrays:
    """Return how much each element changes, at most, when the inputs change by one rounding error."""
    change = [np.zeros(a.shape) for a in at]
    for values in moved:
        change = [np.fmax(c, np.abs(b - a)) for c, b, a in zip(change, values, at, strict=True)]
    return tuple(change)


def _worst(coarse: Sequence[Arrays], fine: Sequence[Arrays], rows: bool) -> Arrays:
    """Return D for each output: its worst error in float32, in units of 2^-24."""
    if any([a.shape for a in one] != [b.shape for b in two] for one, two in zip(coarse, fine, strict=True)):
        raise NoTruthError("in float32 an output has another shape than in float64: nothing measures its digits")
    errors = [
        [_peak(a - b, rows) / _FLOAT32 for a, b in zip(*pair, strict=True)] for pair in zip(coarse, fine, strict=True)
    ]
    return tuple(np.maximum.reduce(column) for column in zip(*errors, strict=True))


def _combine(terms: Arrays, kappa: Arrays, d: Arrays, dtype: str) -> Arrays:
    c, u, tiny = FACTOR[dtype], unit_roundoff(dtype), smallest_normal(dtype)
    return tuple(c * (u * (t + e) + k) + 16 * tiny for t, k, e in zip(terms, kappa, d, strict=True))
