"""Other ways to write the family `implicit` in PyTorch: differentiated through every iteration and step."""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor


def fixed_point(x: Tensor, w: Tensor, *, tolerance: float, max_iter: int) -> Tensor:
    """Unrolled, with the same test to stop."""
    z = torch.zeros_like(x)
    for _ in range(max_iter):
        before, z = z, torch.tanh(z @ w.mT + x)
        if ((z - before).abs().amax(-1) <= tolerance * z.abs().amax(-1)).all():
            break
    return z


def ode_rk4_adjoint(x: Tensor, w: Tensor, *, steps: int, dt: float) -> Tensor:
    """Unrolled."""
    for _ in range(steps):
        k1 = torch.tanh(x @ w.mT)
        k2 = torch.tanh((x + dt / 2 * k1) @ w.mT)
        k3 = torch.tanh((x + dt / 2 * k2) @ w.mT)
        k4 = torch.tanh((x + dt * k3) @ w.mT)
        x = x + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return x


def sinkhorn(cost: Tensor, *, epsilon: float, iterations: int) -> Tensor:
    """Unrolled."""
    n, m = cost.shape[-2:]
    logits = -cost / epsilon
    f = torch.zeros_like(logits[..., :1])
    for _ in range(iterations):
        g = -torch.logsumexp(logits + f, -2, keepdim=True) - math.log(m)
        f = -torch.logsumexp(logits + g, -1, keepdim=True) - math.log(n)
    return torch.exp(logits + f + g)


COMPOSITION: dict[str, Callable[..., Any]] = {
    "fixed_point": fixed_point,
    "ode_rk4_adjoint": ode_rk4_adjoint,
    "sinkhorn": sinkhorn,
}
BUILT_IN: dict[str, Callable[..., Any]] = {}
