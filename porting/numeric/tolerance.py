"""How far a right implementation may be from the oracle: rule R*, computed from the oracle alone.

For element j of a gradient g = vjp(v), with unit roundoff u of the type that was computed in,

    tol_j = c { u (|g_j| + S_j + max(max_k S_k, J1 max|v|) + D) + kappa_j } + 16 tiny

    S_j      sum over i of |v_i| |J_ij|: the size of the terms that g_j is the sum of
    J1       the same for unit cotangents at ordinary inputs: the op's natural scale
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

Array = np.ndarray[Any, Any]
Arrays = tuple[Array, ...]
Linear = Callable[[Sequence[Array], Sequence[Array]], Arrays]
Draw = Callable[[], tuple[Sequence[Array], Sequence[Array]]]

FACTOR: Final = {"float64": 16.0, "float32": 16.0, "float16": 4.0, "bfloat16": 4.0}
_ONE_HOT_LIMIT: Final = 64
_FLOAT32: Final = 2.0**-24


def of_value(
    f: Callable[[Sequence[Array]], Arrays], inputs: Sequence[Array], dtype: str, rng: np.random.Generator, scale: float
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
        The size of ordinary outputs: a formula such as 1/2 + tanh(x)/2 has this error where its value is next to
        nothing.
    """
    with np.errstate(all="ignore"):
        y = f(inputs)
        terms = tuple(2 * np.abs(a) + max(peak(a), scale) for a in y)
        return _combine(terms, _kappa(f, inputs, y, dtype, rng), _float32_error(f, inputs, rng), dtype)


def of_gradient(
    vjp: Linear, inputs: Sequence[Array], v: Sequence[Array], dtype: str, rng: np.random.Generator, scale: float
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
        J1, from `natural_scale`; 0 to leave it out.
    """

    def at(moved: Sequence[Array]) -> Arrays:
        kind = np.result_type(*(x.dtype for x in moved if is_inexact(x)))  # the cotangents follow the inputs' type
        return vjp(moved, [a.astype(kind) for a in v])

    with np.errstate(all="ignore"):
        g = vjp(inputs, v)
        floor = scale * max((peak(a) for a in v), default=0.0)
        sizes = term_sizes(vjp, inputs, v, rng)
        terms = tuple(np.abs(a) + s + max(peak(s), floor) for a, s in zip(g, sizes, strict=True))
        return _combine(terms, _kappa(at, inputs, g, dtype, rng), _float32_error(at, inputs, rng), dtype)


def natural_scale(vjp: Linear, draw: Draw) -> float:
    """Return J1: the largest S_j / max|v| of an ordinary draw of inputs and of cotangents that are +1 or -1.

    S is taken as |vjp(v) - vjp(0)|: exact for an elementwise op, and of the right size where terms are summed.
    """

    def size() -> float:
        inputs, v = draw()
        zero = vjp(inputs, [np.zeros_like(a) for a in v])
        return max(peak(p - z) for p, z in zip(vjp(inputs, v), zero, strict=True))

    return typical(size)


def typical(size: Callable[[], float]) -> float:
    """Return the median over eight draws: beside a pole one draw in eight says how near it came, not what is ordinary.

    For first gradients in 75 ops of the catalogue (all but four with loops) the largest of the eight is at most 2.3
    times this, except for the quotient: 455 times.
    """
    return float(np.median([size() for _ in range(8)]))


def term_sizes(vjp: Linear, inputs: Sequence[Array], v: Sequence[Array], rng: np.random.Generator) -> Arrays:
    """Return S: exact from one-hot cotangents for up to 64 outputs, else a root mean square over random signs.

    A vjp that is not linear in v is taken as affine: its value at v = 0 counts once, not once per output.
    """
    zero = vjp(inputs, [np.zeros_like(a) for a in v])
    total = [np.abs(a) for a in zero]
    if sum(a.size for a in v) <= _ONE_HOT_LIMIT:
        for k, a in enumerate(v):
            for i in range(a.size):
                hot = [np.zeros_like(b) for b in v]
                hot[k].reshape(-1)[i] = a.reshape(-1)[i]
                total = [t + np.abs(p - z) for t, p, z in zip(total, vjp(inputs, hot), zero, strict=True)]
        return tuple(total)
    squares = [np.zeros(a.shape) for a in zero]
    for _ in range(8):
        part = vjp(inputs, [a * rng.choice([-1.0, 1.0], a.shape) for a in v])
        squares = [q + (p - z) ** 2 / 8 for q, p, z in zip(squares, part, zero, strict=True)]
    return tuple(t + np.sqrt(q) for t, q in zip(total, squares, strict=True))


def peak(a: Array) -> float:
    """Return the largest finite magnitude, 0 if there is none."""
    finite = np.abs(a[np.isfinite(a)])
    return float(finite.max()) if finite.size else 0.0


def _kappa(
    f: Callable[[Sequence[Array]], Arrays], inputs: Sequence[Array], at: Arrays, dtype: str, rng: np.random.Generator
) -> Arrays:
    change = [np.zeros(a.shape) for a in at]
    u = unit_roundoff(dtype)
    for _ in range(4):
        moved = [x * (1 + u * rng.choice([-1.0, 1.0], x.shape)) if is_inexact(x) else x for x in inputs]
        change = [np.fmax(c, np.abs(b - a)) for c, b, a in zip(change, f(moved), at, strict=True)]
    return tuple(change)


def _float32_error(
    f: Callable[[Sequence[Array]], Arrays], inputs: Sequence[Array], rng: np.random.Generator
) -> tuple[float, ...]:
    """Return D for each output of f: its worst error in float32 at three points next to the inputs."""
    worst = None
    for _ in range(3):
        near = [narrow(x * (1 + 2.0**-20 * rng.uniform(-1, 1, x.shape))) if is_inexact(x) else x for x in inputs]
        coarse = f(near)
        fine = f([wide(x) for x in near])
        error = [peak(a - b) / _FLOAT32 for a, b in zip(coarse, fine, strict=True)]
        worst = error if worst is None else [max(pair) for pair in zip(worst, error, strict=True)]
    return tuple(worst or ())


def _combine(terms: Arrays, kappa: Arrays, d: tuple[float, ...], dtype: str) -> Arrays:
    c, u, tiny = FACTOR[dtype], unit_roundoff(dtype), smallest_normal(dtype)
    return tuple(c * (u * (t + e) + k) + 16 * tiny for t, k, e in zip(terms, kappa, d, strict=True))
