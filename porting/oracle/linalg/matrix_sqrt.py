"""Square root of a symmetric positive definite matrix, the gradient by a Sylvester equation.

    y  = s^(1/2),  s = (a + a^T) / 2
    dx = the X that solves  y X + X y = (dy + dy^T) / 2

Derivation: y y = s gives y dy + dy y = ds, and the map from ds to dy is its own adjoint. In the eigenbasis of s, where
s = v diag(r^2) v^T, the solution is X = v (v^T C v / (r_i + r_j)) v^T: a sum of positive numbers divides, so repeated
eigenvalues do no harm, unlike in the gradient of the eigenvectors. The op takes the symmetric part of any square
matrix, so that each entry may be varied on its own; the gradient is symmetric.

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
def matrix_sqrt(a: Any) -> Any:
    """Square root of the symmetric part."""
    refuse_integers("a", a)
    r, v = _roots(a)
    return (v * r[..., None, :]) @ v.swapaxes(-1, -2)


@matrix_sqrt.defvjp
def matrix_sqrt_vjp(dy: Any, y: Any, a: Any) -> Any:
    """Solve the Sylvester equation in the eigenbasis."""
    r, v = _roots(a)
    vt = v.swapaxes(-1, -2)
    c = (dy + dy.swapaxes(-1, -2)) / 2
    return v @ ((vt @ c @ v) / (r[..., :, None] + r[..., None, :])) @ vt


def _roots(a: Any) -> tuple[Any, Any]:
    """Return the square roots of the eigenvalues, and the eigenvectors."""
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise ValueError(f"a: wanted square matrices, got shape {list(a.shape)}")
    s = (a + a.swapaxes(-1, -2)) / 2
    usable = np.isfinite(s).all((-2, -1))
    w, v = np.linalg.eigh(np.where(usable[..., None, None], s, 0))
    return np.sqrt(np.where(usable[..., None], w, np.nan)), v
