"""Inverse square root of a symmetric positive definite matrix, the gradient by a Sylvester equation.

    y  = s^(-1/2),  s = (a + a^T) / 2
    dx = - y X y,  where X solves  r X + X r = (dy + dy^T) / 2  and  r = s^(1/2)

Derivation: y = r^-1 gives dy = - y dr y, and r r = s gives r dr + dr r = ds; both maps are their own adjoints and they
commute. In the eigenbasis, where s = v diag(r^2) v^T, the gradient is - v (v^T C v / (r_i r_j (r_i + r_j))) v^T:
repeated eigenvalues do no harm. The op takes the symmetric part of any square matrix, so that each entry may be varied
on its own; the gradient is symmetric.

A matrix with a negative eigenvalue, with NaN or with infinity gives NaN, alone in its batch. Source: Higham, Functions
of Matrices, 2008, sections 3.1 and 6.
"""

from typing import Any

import numpy as np

from porting.oracle.refusals import refuse_integers
from porting.spec import op


def positive_definite(x: Any) -> Any:
    """A matrix whose symmetric part is positive definite and well conditioned, with an antisymmetric part added."""
    n = max(x.shape[-1], 1)
    trace = np.sum(x * x, axis=(-2, -1))[..., None, None]
    return x @ x.swapaxes(-1, -2) + (1 + trace / n) * np.eye(x.shape[-1]) + (x - x.swapaxes(-1, -2)) / 2


@op(
    shapes={"a": (..., "n", "n")},
    prepare={"a": positive_definite},
    refuses=({"a": [1, 2]}, {"a": [[1.0, 2.0]]}, {"a": [1.0]}),
)
def matrix_inverse_sqrt(a: Any) -> Any:
    """Inverse square root of the symmetric part."""
    refuse_integers("a", a)
    r, v = _roots(a)
    return (v / r[..., None, :]) @ v.swapaxes(-1, -2)


@matrix_inverse_sqrt.defvjp
def matrix_inverse_sqrt_vjp(dy: Any, y: Any, a: Any) -> Any:
    """Everything in the eigenbasis."""
    r, v = _roots(a)
    vt, row, column = v.swapaxes(-1, -2), r[..., :, None], r[..., None, :]
    c = (dy + dy.swapaxes(-1, -2)) / 2
    return -v @ ((vt @ c @ v) / (row * column * (row + column))) @ vt


def _roots(a: Any) -> tuple[Any, Any]:
    """Return the square roots of the eigenvalues, and the eigenvectors."""
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise ValueError(f"a: wanted square matrices, got shape {list(a.shape)}")
    s = (a + a.swapaxes(-1, -2)) / 2
    usable = np.isfinite(s).all((-2, -1))
    w, v = np.linalg.eigh(np.where(usable[..., None, None], s, 0))
    return np.sqrt(np.where(usable[..., None], w, np.nan)), v
