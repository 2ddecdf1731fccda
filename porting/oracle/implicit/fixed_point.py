"""The solution of z = tanh(w z + x), differentiated as a solution, not through the iterations that found it.

    y  = z, where z = tanh(z w^T + x)
    dx = s (dy + dx w)                          with s = 1 - tanh(z w^T + x)^2
    dw = dx^T z                                 summed over all axes but the last

Differentiating the equation gives dz = s (dz w^T + z dw^T + dx), a linear equation whose transpose is that of dx. Both
are solved by iteration, at most `max_iter` times, until no element of a row changes by more than `tolerance` times the
row's largest. That converges where s w is a contraction, so for every x if the largest singular value of w is below 1.
The backward needs the solution and w, however many iterations there were; where they did not converge, the gradient is
not that of the value.

Source: the implicit function theorem; as a layer Bai, Kolter & Koltun, "Deep Equilibrium Models", 2019.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from porting.oracle.elementary import sech_squared
from porting.spec import op


def contraction(w: Any) -> Any:
    """w scaled to a largest singular value of 1/10, where 16 iterations are enough."""
    return w / (10 * np.linalg.norm(w, 2))


@op(
    shapes={"x": (..., "n"), "w": ("n", "n")},
    prepare={"w": contraction},
    statics={"tolerance": (1e-16,), "max_iter": (40,)},
    refuses=({"tolerance": -1.0}, {"max_iter": 0}, {"w": [[1.0, 0.5]]}),
)
def fixed_point(x: Any, w: Any, *, tolerance: float, max_iter: int) -> Any:
    """z = tanh(z w^T + x), from z = 0 on."""
    if tolerance < 0:
        raise ValueError(f"tolerance={tolerance}: wanted tolerance >= 0")
    if max_iter < 1:
        raise ValueError(f"max_iter={max_iter}: wanted max_iter >= 1")
    if w.shape != 2 * x.shape[-1:]:
        raise ValueError(f"w of shape {list(w.shape)}: wanted {list(2 * x.shape[-1:])}, by the last axis of x")
    return _iterate(lambda z: np.tanh(z @ w.T + x), x, tolerance, max_iter)


@fixed_point.defvjp
def fixed_point_vjp(dy: Any, y: Any, x: Any, w: Any, *, tolerance: float, max_iter: int) -> Any:
    """Solve the transposed linear equation; multiply by the solution."""
    s = sech_squared(y @ w.T + x)
    dx = _iterate(lambda dx: s * (dx @ w + dy), s * dy, tolerance, max_iter)
    n = w.shape[0]
    return dx, dx.reshape(-1, n).T @ y.reshape(-1, n)


def _iterate(f: Callable[[Any], Any], like: Any, tolerance: float, max_iter: int) -> Any:
    z = np.zeros_like(like)
    parts = (np.real, np.imag) if np.iscomplexobj(z) else (np.real,)
    for _ in range(max_iter):
        before, z = z, f(z)
        if all(_settled(part(z), part(before), tolerance) for part in parts):
            break
    return z


def _settled(z: Any, before: Any, tolerance: float) -> bool:
    return bool((np.abs(z - before).max(-1) <= tolerance * np.abs(z).max(-1)).all())
