"""Logarithm of the absolute value of a determinant.

    y  = log |det a|
    dx = dy a^-T

Derivation: Jacobi's formula, d det a = det a tr(a^-1 da). The absolute value makes the op total: the sign of the
determinant is constant wherever it is not 0. The sum of logarithms neither overflows nor underflows where the
determinant does. The matrix need not be symmetric.

A matrix with NaN or infinity gives NaN, alone in its batch; one that is exactly singular has the value -infinity or a
large negative number, as rounding goes, and no gradient. Source: Giles, Collected matrix derivative results for forward
and reverse mode algorithmic differentiation, 2008, section 2.2.4.
"""

from typing import Any

import numpy as np

from porting.oracle.refusals import refuse_integers
from porting.spec import op


def dominant(x: Any) -> Any:
    """A well conditioned matrix: each diagonal element is larger than the rest of its row together."""
    weight = np.copysign(1 + np.abs(x).sum(-1), np.einsum("...ii->...i", x))
    return x + weight[..., None] * np.eye(x.shape[-1])


@op(shapes={"a": (..., "n", "n")}, prepare={"a": dominant}, refuses=({"a": [1, 2]}, {"a": [[1.0, 2.0]]}, {"a": [1.0]}))
def logdet(a: Any) -> Any:
    """log |det a|."""
    refuse_integers("a", a)
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise ValueError(f"a: wanted square matrices, got shape {list(a.shape)}")
    at, usable = _usable(a)
    return np.where(usable[..., 0, 0], np.linalg.slogdet(at)[1], np.nan)


@logdet.defvjp
def logdet_vjp(dy: Any, y: Any, a: Any) -> Any:
    """The transposed inverse."""
    at, usable = _usable(a)
    return np.asarray(dy)[..., None, None] * np.where(usable, np.linalg.inv(at).swapaxes(-1, -2), np.nan)


def _usable(a: Any) -> tuple[Any, Any]:
    usable = np.isfinite(a).all((-2, -1))[..., None, None]
    return np.where(usable, a, np.eye(a.shape[-1], dtype=a.dtype)), usable
