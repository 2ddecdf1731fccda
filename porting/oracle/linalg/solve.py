"""Solution of a system of linear equations.

    y  = a^-1 b
    db = a^-T dy
    da = - db y^T

Derivation: a y = b gives da y + a dy = db, so dy = a^-1 (db - da y). The adjoint of that is a solution with the
transpose, and the gradient of the matrix follows from the one of the right side without another solution. The matrix
need not be symmetric; b has the same axes in front and any number of columns.

A matrix with NaN or infinity gives NaN, alone in its batch; one that is exactly singular is refused by each framework
in its own words. Source: Giles, Collected matrix derivative results for forward and reverse mode algorithmic
differentiation, 2008, section 2.3.1.
"""

from typing import Any

import numpy as np

from porting.oracle.refusals import refuse_integers
from porting.spec import op


def dominant(x: Any) -> Any:
    """A well conditioned matrix: each diagonal element is larger than the rest of its row together."""
    weight = np.copysign(1 + np.abs(x).sum(-1), np.einsum("...ii->...i", x))
    return x + weight[..., None] * np.eye(x.shape[-1])


@op(
    shapes={"a": (..., "n", "n"), "b": (..., "n", "k")},
    prepare={"a": dominant},
    refuses=({"a": [1, 2]}, {"a": [[1.0, 2.0]]}, {"a": [1.0]}, {"b": [[1.0, 2.0]]}, {"b": [1.0, 2.0, 3.0, 4.0]}),
)
def solve(a: Any, b: Any) -> Any:
    """The y with a y = b."""
    refuse_integers("a", a)
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise ValueError(f"a: wanted square matrices, got shape {list(a.shape)}")
    if b.ndim != a.ndim or b.shape[:-1] != a.shape[:-1]:
        raise ValueError(f"b: wanted shape {[*a.shape[:-1], 'k']}, got {list(b.shape)}")
    return _solved(a, b)


@solve.defvjp
def solve_vjp(dy: Any, y: Any, a: Any, b: Any) -> Any:
    """Solve with the transpose; an outer product with the solution."""
    db = _solved(a.swapaxes(-1, -2), dy)
    return -db @ y.swapaxes(-1, -2), db


def _solved(a: Any, b: Any) -> Any:
    usable = np.isfinite(a).all((-2, -1))[..., None, None]
    y = np.linalg.solve(np.where(usable, a, np.eye(a.shape[-1], dtype=a.dtype)), b)
    return np.where(usable, y, np.nan)
