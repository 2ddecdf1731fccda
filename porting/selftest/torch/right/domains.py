"""Inputs with a domain, or that are not differentiated: what happens beyond, and what is returned for them."""

# mypy: allow-untyped-defs, allow-untyped-calls

from typing import Any

import numpy as np
import torch

from porting.selftest.planted import right
from porting.spec import op


@op(domain={"x": (0.25, 1024.0)}, nonfinite=True)
def root(x: Any) -> Any:
    """sqrt(x) from 1/4 to 1024, NaN elsewhere."""
    inside = (x >= 0.25) & (x <= 1024)
    return np.where(inside, np.sqrt(np.where(inside, x, 1)), np.nan)


@root.defvjp
def root_vjp(dy: Any, y: Any, x: Any) -> Any:
    """1 / (2 y)."""
    return dy / (2 * y)


@op(wrt=("x",))
def weighted(x: Any, w: Any) -> Any:
    """x w, differentiated by x alone."""
    return x * w


@weighted.defvjp
def weighted_vjp(dy: Any, y: Any, x: Any, w: Any) -> Any:
    """w dy."""
    return w * dy


@right(root)
class NanBeyond(torch.autograd.Function):
    """Numbers outside of the domain are replaced by NaN, which the root and its gradient hand on."""

    @staticmethod
    def forward(ctx, x):
        y = x.masked_fill((x < 0.25) | (x > 1024), torch.nan).sqrt()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensors
        return dy / y / 2


@right(weighted)
class MoreThanAsked(torch.autograd.Function):
    """The gradient of w is returned as well, which nobody differentiates by."""

    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x * w

    @staticmethod
    def backward(ctx, dy):
        x, w = ctx.saved_tensors
        return dy * w, dy * x


@right(weighted)
class WeightsDetached(torch.autograd.Function):
    """w is kept without a graph, and its gradient is None: it is not differentiated by."""

    @staticmethod
    def forward(ctx, x, w):
        ctx.w = w.detach().clone()
        return x * w

    @staticmethod
    def backward(ctx, dy):
        return dy * ctx.w, None
