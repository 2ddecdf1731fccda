"""The nearest row of a codebook; the gradient passes straight through to x.

    y         = e_j with j = argmin |x - e_j|^2, over the last axis
    dx        = dy
    dcodebook = 0

y is constant between its jumps, so no gradient would reach what comes before. The straight-through estimator copies it
from y to x. The codebook gets none here: it is trained by its own loss, |stop(x) - e_j|^2 or moving averages.

The first of equally near codes wins. A distance that is NaN counts as the least, so that it is seen. Here all numbers
are scaled by one power of 2 first, so that no square overflows or vanishes.

Source: van den Oord, Vinyals & Kavukcuoglu 2017, "Neural Discrete Representation Learning".
"""

from typing import Any

import numpy as np

from porting.spec import op


def unquantized(x: Any, codebook: Any) -> Any:
    """x itself."""
    return x


def next_tie(x: Any, codebook: Any) -> tuple[Any, ...]:
    """Along each coordinate, where another code gets as near; a distance of 1 stands for further ones."""
    y = vector_quantize(x, codebook)
    nearest = ((x - y) ** 2).sum(-1, keepdims=True)
    least = np.ones_like(x)
    for code in codebook:
        with np.errstate(all="ignore"):  # 0 / 0 for the nearest code itself
            step = (((x - code) ** 2).sum(-1, keepdims=True) - nearest) / (2 * (code - y))
        least = np.where(np.abs(step) < np.abs(least), step, least)
    return (x + least,)


@op(
    gradient_of=unquantized,
    shapes={"x": (..., "d"), "codebook": ("n", "d")},
    kinks={"x": next_tie},
    refuses=({"codebook": [[1.0, 2.0]]}, {"codebook": [1.0, 2.0, 3.0, 4.0]}, {"x": 1.0}),
)
def vector_quantize(x: Any, codebook: Any) -> Any:
    """The row of the codebook that is nearest to each row of x."""
    if x.ndim == 0:
        raise ValueError("x of shape []: wanted at least one axis")
    if codebook.ndim != 2 or codebook.shape[1] != x.shape[-1] or not len(codebook):
        raise ValueError(f"codebook of shape {list(codebook.shape)}: wanted [n, {x.shape[-1]}] with n >= 1")
    return codebook[_distances(x, codebook).argmin(-1)]


@vector_quantize.defvjp
def vector_quantize_vjp(dy: Any, y: Any, x: Any, codebook: Any) -> Any:
    """dy, and nothing for the codebook."""
    return dy, np.zeros_like(codebook)


def _distances(x: Any, codebook: Any) -> Any:
    """Return the squared distance of each row of x, in units of a power of 2, to each code."""
    _, exponent = np.frexp(max(np.abs(x).max(initial=0), np.abs(codebook).max(initial=0)))
    near = np.ldexp(x, -exponent)
    return np.stack([((near - code) ** 2).sum(-1) for code in np.ldexp(codebook, -exponent)], -1)
