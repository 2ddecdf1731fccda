"""A decorator for functions that keep their inputs alone: whatever the gradient needs is computed again."""

import functools
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor


class RecomputeFunction(torch.autograd.Function):
    """``RecomputeFunction.apply(fn, *inputs)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(fn: Callable[..., Any], *inputs: Tensor) -> Any:
        return fn(*inputs)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        ctx.fn, *tensors = inputs
        ctx.save_for_backward(*tensors)
        ctx.single = torch.is_tensor(output)

    @staticmethod
    def backward(ctx, *dy: Tensor) -> tuple[Tensor | None, ...]:  # None: fn, and inputs that need no gradient
        inputs = ctx.saved_tensors
        needed = [k for k in range(len(inputs)) if ctx.needs_input_grad[k + 1]]

        def fn(*moving: Tensor) -> Any:
            given = dict(zip(needed, moving, strict=True))
            return ctx.fn(*(given.get(k, x) for k, x in enumerate(inputs)))

        _, vjp = torch.func.vjp(fn, *(inputs[k] for k in needed))
        gradients = dict(zip(needed, vjp(dy[0] if ctx.single else dy), strict=True))
        return None, *(gradients.get(k) for k in range(len(inputs)))


def recompute(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Make fn keep its tensors and nothing else; it must give the same each time, and get all tensors as arguments."""

    @functools.wraps(fn)
    def run(*inputs: Tensor) -> Any:
        return RecomputeFunction.apply(fn, *inputs)

    return run


def recomputed(x: Tensor, *, fn: Callable[[Tensor], Tensor]) -> Tensor:
    """fn(x) of one tensor, recomputed."""
    return recompute(fn)(x)
