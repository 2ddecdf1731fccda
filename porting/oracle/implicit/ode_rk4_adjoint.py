"""Steps of the classical Runge-Kutta method for x' = tanh(w x), and their adjoint.

    y  = x after `steps` steps: x <- x + dt (k1 + 2 k2 + 2 k3 + k4) / 6
         ki = tanh(pi w^T)                       p1 = x, p2 = x + dt/2 k1, p3 = x + dt/2 k2, p4 = x + dt k3
    gi = dt (bi dx + ai qi+1) (1 - ki^2)         b = (1, 2, 2, 1)/6, a = (1/2, 1/2, 1, 0), qi = gi w, for i = 4, 3, 2, 1
    dx <- dx + q1 + q2 + q3 + q4                 from dx = dy on, back through the steps
    dw = sum of gi^T pi                          over steps, stages and all axes of x but the last

This is the exact gradient of the steps, the discrete adjoint: not that of the true flow, whose adjoint equation, solved
by steps of its own, gives another number for every dt > 0. The states between the steps are computed once more in the
backward and kept as long as that runs. 1 - k^2 is computed as 1/cosh^2, which keeps its digits. A sum of products
overflows long before tanh has to, so the domain is one of ordinary numbers.

Source: Hager, "Runge-Kutta methods in optimal control and the transformed adjoint system", 2000.
"""

from typing import Any

import numpy as np

from porting.oracle.elementary import sech_squared
from porting.spec import op

AHEAD = (1 / 2, 1 / 2, 1.0)  # how far along each slope the next point lies
WEIGHTS = (1 / 6, 1 / 3, 1 / 3, 1 / 6)


@op(
    shapes={"x": (..., "n"), "w": ("n", "n")},
    domain={"x": (-2.0, 2.0), "w": (-2.0, 2.0)},
    statics={"steps": (3, 1), "dt": (0.25, -0.5)},
    refuses=({"steps": 0}, {"w": [[1.0, 0.5]]}),
)
def ode_rk4_adjoint(x: Any, w: Any, *, steps: int, dt: float) -> Any:
    """x after `steps` steps of length dt."""
    if steps < 1:
        raise ValueError(f"steps={steps}: wanted steps >= 1")
    if w.shape != 2 * x.shape[-1:]:
        raise ValueError(f"w of shape {list(w.shape)}: wanted {list(2 * x.shape[-1:])}, by the last axis of x")
    for _ in range(steps):
        x = _step(x, _stages(x, w, dt), dt)
    return x


@ode_rk4_adjoint.defvjp
def ode_rk4_adjoint_vjp(dy: Any, y: Any, x: Any, w: Any, *, steps: int, dt: float) -> Any:
    """Back through the steps, and in each through the stages."""
    steps_taken = []
    for _ in range(steps):
        steps_taken.append(_stages(x, w, dt))
        x = _step(x, steps_taken[-1], dt)
    dx, dw = dy, 0
    for stages in reversed(steps_taken):
        q, total = 0, dx
        for (p, u), a, b in zip(reversed(stages), (0, *reversed(AHEAD)), reversed(WEIGHTS), strict=True):
            g = dt * (b * dx + a * q) * sech_squared(u)
            q = g @ w
            total = total + q
            dw = dw + g.reshape(-1, g.shape[-1]).T @ p.reshape(-1, g.shape[-1])
        dx = total
    return dx, dw


def _stages(x: Any, w: Any, dt: float) -> list[tuple[Any, Any]]:
    """Return the four points at which the slopes are taken, each with the argument of its slope's tanh."""
    stages = [(x, x @ w.T)]
    for a in AHEAD:
        p = x + a * dt * np.tanh(stages[-1][1])
        stages.append((p, p @ w.T))
    return stages


def _step(x: Any, stages: list[tuple[Any, Any]], dt: float) -> Any:
    return x + dt * sum(b * np.tanh(u) for b, (_, u) in zip(WEIGHTS, stages, strict=True))
