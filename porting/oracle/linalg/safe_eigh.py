"""Eigenvalues and eigenvectors of a symmetric matrix; the gradient is finite where eigenvalues are repeated.

    y  = (w, v)  with  v diag(w) v^T = (a + a^T) / 2,  w ascending
    da = symmetric part of  v (diag(dw) + F * (v^T dv)) v^T,  F_ij = d / (d^2 + broadening),  d = w_j - w_i

Derivation: perturbation theory has F_ij = 1 / d off the diagonal and 0 on it. That is infinite where two eigenvalues
meet; there the eigenvectors are not defined, and no gradient is right. The Lorentzian keeps F below
1 / (2 sqrt(broadening)), is 0 at d = 0, and differs from 1 / d by the factor 1 + broadening / d^2. So the gradient is
the derivative where all eigenvalues are apart by much more than sqrt(broadening), and for broadening = 0 wherever
they differ. For losses that do not depend on the choice of the vectors, v^T dv is symmetric where eigenvalues meet,
and the terms that are dropped there add up to 0.

Sign of an eigenvector: the first component of more than 0.55 times the largest magnitude is positive. Of symmetric
matrices of small integers many vectors have two components that are equal but for the sign, so that "the largest" would
be chosen by rounding. A matrix with NaN or infinity gives NaN, alone in its batch. Source: Liao, Liu, Wang & Xiang,
Differentiable Programming Tensor Networks, 2019.
"""

from typing import Any

import numpy as np

from porting.oracle.refusals import refuse_integers
from porting.spec import op


def separated(x: Any) -> Any:
    """A matrix whose symmetric part has eigenvalues apart by more than 1, with an antisymmetric part added."""
    n = x.shape[-1]
    q = np.linalg.qr(x)[0]
    w = 2 * np.arange(n) - n + np.tanh(np.einsum("...ii->...i", x)) / 2
    return (q * w[..., None, :]) @ q.swapaxes(-1, -2) + (x - x.swapaxes(-1, -2)) / 2


@op(
    shapes={"a": (..., "n", "n")},
    prepare={"a": separated},
    statics={"broadening": (1e-16, 0.0)},
    refuses=({"a": [1, 2]}, {"a": [[1.0, 2.0]]}, {"a": [1.0]}, {"broadening": -1e-12}),
)
def safe_eigh(a: Any, *, broadening: float) -> Any:
    """Eigenvalues and eigenvectors of the symmetric part."""
    refuse_integers("a", a)
    if broadening < 0:
        raise ValueError(f"broadening={broadening!r}: wanted a number >= 0")
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise ValueError(f"a: wanted square matrices, got shape {list(a.shape)}")
    s = (a + a.swapaxes(-1, -2)) / 2
    usable = np.isfinite(s).all((-2, -1))[..., None]
    w, v = np.linalg.eigh(np.where(usable[..., None], s, 0))
    size = np.abs(v)
    first = np.argmax(size > 0.55 * size.max(-2, keepdims=True), axis=-2, keepdims=True)
    v = v * np.copysign(1, np.take_along_axis(v, first, -2))
    return np.where(usable, w, np.nan), np.where(usable[..., None], v, np.nan)


@safe_eigh.defvjp
def safe_eigh_vjp(dy: Any, y: Any, a: Any, *, broadening: float) -> Any:
    """The broadened formula of perturbation theory."""
    (dw, dv), (w, v) = dy, y
    vt = v.swapaxes(-1, -2)
    d = w[..., None, :] - w[..., :, None]
    one = np.eye(w.shape[-1], dtype=w.dtype)  # on the diagonal d is 0
    inner = d / (d * d + broadening + one) * (vt @ dv) + dw[..., None] * one
    dx = v @ inner @ vt
    return (dx + dx.swapaxes(-1, -2)) / 2
