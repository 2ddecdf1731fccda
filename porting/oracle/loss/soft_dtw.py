"""Soft dynamic time warping: the soft minimum of the costs of all alignments of two series.

    y  = R[n, m],   R[i, j] = D[i, j] + softmin(R[i-1, j-1], R[i-1, j], R[i, j-1]),   D = distance,
         softmin(a, b, c) = -gamma log(e^(-a / gamma) + e^(-b / gamma) + e^(-c / gamma))
    dD = dy E,   E[i, j] = the weight of the alignments that go through i, j

Derivation: -y / gamma is the logarithm of the sum over all alignments of e^(-cost / gamma), so E is a sum of their
shares. With R' the same recursion from the other end, from n, m to i, j, the alignments through i, j have

    E[i, j] = e^((y + D[i, j] - R[i, j] - R'[i, j]) / gamma),

since D[i, j] is in both. This is what the backward recursion of Cuturi and Blondel computes, in one step: R' is R of
the reversed matrix, so that both run at once, in logarithms, where nothing overflows and each E is at most 1. All of an
antidiagonal, i + j = constant, is computed at once.

A distance of infinity forbids a place. (Distances are cut off at 1/8 (n + m) of the largest number, times gamma.)
Batched over leading axes.

Source: M. Cuturi and M. Blondel, "Soft-DTW: a differentiable loss function for time-series", ICML 2017, algorithms 1
and 2.
"""

from typing import Any

import numpy as np

from porting.oracle.refusals import refuse_integers
from porting.spec import op


def potentials(a: Any) -> Any:
    """Return the logarithm of the sum of e^(sum of a along the path) over all paths from the first place to each."""
    *batch, n, m = a.shape
    lowest = np.finfo(a.dtype).min / 2
    skewed = np.zeros((n + m - 1, *batch, n), a.dtype)  # [i + j, i]
    for i in range(n):
        skewed[i : i + m, ..., i] = np.moveaxis(a[..., i, :], -1, 0)
    z = np.full((n + m, *batch, n + 1), lowest, a.dtype)  # one antidiagonal and one row in front: no path leads there
    z[1, ..., 1] = skewed[0, ..., 0]
    for k in range(1, n + m - 1):
        z[k + 1, ..., 1:] = skewed[k] + np.logaddexp(np.logaddexp(z[k - 1, ..., :-1], z[k, ..., :-1]), z[k, ..., 1:])
    found = np.empty_like(a)
    for i in range(n):
        found[..., i, :] = np.moveaxis(z[i + 1 : i + 1 + m, ..., i + 1], 0, -1)
    return found


def gains(distance: Any, gamma: float) -> Any:
    """Return -distance / gamma, cut off where sums of it would overflow."""
    end = np.finfo(distance.dtype).max / (8 * sum(distance.shape[-2:]))
    return np.clip(distance / -gamma, -end, end)


@op(
    shapes={"distance": (..., "n", "m")}, statics={"gamma": (1.0, 0.1)},
    refuses=(
        {"distance": [1, 2]},
        {"gamma": 0.0}, {"gamma": -1.0}, {"gamma": float("inf")}, {"distance": [1.0]}, {"distance": np.ones((0, 2))},
    ),
)  # fmt: skip
def soft_dtw(distance: Any, *, gamma: float) -> Any:
    """-gamma log of the sum over all alignments of e^(-cost / gamma)."""
    refuse_integers("distance", distance)
    if not 0 < gamma < float("inf"):
        raise ValueError(f"gamma={gamma}: wanted a finite gamma > 0")
    if distance.ndim < 2 or 0 in distance.shape[-2:]:
        raise ValueError(f"distance {list(distance.shape)}: wanted [..., n, m] with n, m >= 1")
    return -gamma * potentials(gains(distance, gamma))[..., -1, -1]


@soft_dtw.defvjp
def soft_dtw_vjp(dy: Any, y: Any, distance: Any, *, gamma: float) -> Any:
    """The share of the alignments through each place."""
    a = gains(distance, gamma)
    there, back = potentials(np.stack([a, a[..., ::-1, ::-1]]))
    exponent = there + back[..., ::-1, ::-1] - a - there[..., -1:, -1:]
    return np.asarray(dy)[..., None, None] * np.exp(np.minimum(exponent, 0))
