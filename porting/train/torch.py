"""The Legendre run in PyTorch, as printed: autograd calls the twin's own backward."""

import math

from porting.train.legendre import LEARNING_RATE, POINTS, START, STEPS, Fit, OnStep


def fit(on_step: OnStep | None = None) -> Fit:
    """Train as the text does.

    Parameters
    ----------
    on_step : callable, optional
        Called after every step with its number.
    """
    import torch

    from torch_impl.published import legendre_polynomial3 as p3

    device = torch.device("cpu")
    dtype = torch.float32
    x = torch.linspace(-math.pi, math.pi, POINTS, device=device, dtype=dtype)
    y = torch.sin(x)
    weights = [torch.full((), weight, device=device, dtype=dtype, requires_grad=True) for weight in START]
    a, b, c, d = weights
    curve: list[float] = []
    for step in range(STEPS):
        loss = (a + b * p3(c + d * x) - y).pow(2).sum()
        curve.append(loss.item())

        loss.backward()  # type: ignore[no-untyped-call]  # torch types most of itself, not this
        with torch.no_grad():
            for weight in weights:
                weight.sub_(LEARNING_RATE * weight.grad)  # type: ignore[operator]  # backward() has just filled it
                weight.grad = None
        if on_step is not None:
            on_step(step)
    return Fit("torch", tuple(curve), a.item(), b.item(), c.item(), d.item())
