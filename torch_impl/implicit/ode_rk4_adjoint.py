"""Steps of the classical Runge-Kutta method for x' = tanh(w x), and their adjoint."""

import torch
from torch import Tensor

AHEAD = (1 / 2, 1 / 2, 1.0, 0.0)  # how far along each slope the next point lies; nothing lies behind the last
WEIGHTS = (1 / 6, 1 / 3, 1 / 3, 1 / 6)


class OdeRk4AdjointFunction(torch.autograd.Function):
    """``OdeRk4AdjointFunction.apply(x, w, steps, dt)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, w: Tensor, steps: int, dt: float) -> Tensor:
        return _states(_wide(x), _wide(w), steps, dt)[-1].to(x.dtype)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        x, w, ctx.steps, ctx.dt = inputs
        ctx.save_for_backward(x, w)

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, Tensor, None, None]:  # None: steps and dt are static
        x, w = ctx.saved_tensors
        wide, dt = _wide(w), ctx.dt
        dx, dw = _wide(dy), torch.zeros_like(wide)
        for state in reversed(_states(_wide(x), wide, ctx.steps - 1, dt)):
            q, total = torch.zeros_like(dx), dx
            for p, k, a, b in reversed([*zip(*_stages(state, wide, dt), AHEAD, WEIGHTS, strict=True)]):
                g = dt * (b * dx + a * q) * (1 - k * k)
                q = g @ wide
                total = total + q
                dw = dw + g.reshape(-1, g.shape[-1]).mT @ p.reshape(-1, g.shape[-1])
            dx = total
        return dx.to(x.dtype), dw.to(w.dtype), None, None


def _wide(x: Tensor) -> Tensor:
    return x.float() if x.dtype.itemsize == 2 else x


def _stages(x: Tensor, w: Tensor, dt: float) -> tuple[list[Tensor], list[Tensor]]:
    """Return the four points of a step, and the slopes there."""
    points, slopes = [], []
    p = x
    for a in AHEAD:
        k = torch.tanh(p @ w.mT)
        points.append(p)
        slopes.append(k)
        p = x + a * dt * k
    return points, slopes


def _states(x: Tensor, w: Tensor, steps: int, dt: float) -> list[Tensor]:
    """Return x and what it becomes after each step."""
    states = [x]
    for _ in range(steps):
        k1, k2, k3, k4 = _stages(states[-1], w, dt)[1]
        states.append(states[-1] + dt / 6 * (k1 + 2 * (k2 + k3) + k4))
    return states


def ode_rk4_adjoint(x: Tensor, w: Tensor, *, steps: int, dt: float) -> Tensor:
    """x after `steps` steps of length dt along x' = tanh(x w^T)."""
    if steps < 1:
        raise ValueError(f"steps={steps}: wanted steps >= 1")
    if w.shape != 2 * x.shape[-1:]:
        raise ValueError(f"w of shape {list(w.shape)}: wanted {list(2 * x.shape[-1:])}, by the last axis of x")
    return OdeRk4AdjointFunction.apply(x, w, steps, dt)
