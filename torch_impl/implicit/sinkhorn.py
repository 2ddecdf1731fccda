"""The transport plan between uniform marginals, with entropy, differentiated at the solution."""

import math

import torch
from torch import Tensor


class SinkhornFunction(torch.autograd.Function):
    """``SinkhornFunction.apply(cost, epsilon, iterations)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(cost: Tensor, epsilon: float, iterations: int) -> Tensor:
        n, m = cost.shape[-2:]
        logits = _wide(cost) / -epsilon
        f = torch.zeros_like(logits[..., :1])
        for _ in range(iterations):
            g = -torch.logsumexp(logits + f, -2, keepdim=True) - math.log(m)
            f = -torch.logsumexp(logits + g, -1, keepdim=True) - math.log(n)
        return torch.exp(logits + f + g).to(cost.dtype)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        _, ctx.epsilon, ctx.iterations = inputs
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, None, None]:  # None: epsilon and iterations are static
        (y,) = ctx.saved_tensors
        p, v = _wide(y), _wide(dy)
        n, m = p.shape[-2:]
        r, c = (p * v).sum(-1, keepdim=True), (p * v).sum(-2, keepdim=True)
        beta = torch.zeros_like(c)
        for _ in range(ctx.iterations):  # converges as the forward does
            alpha = n * (r - p @ beta.mT)
            beta = m * (c - alpha.mT @ p)
        return (p * (alpha + beta - v) / ctx.epsilon).to(y.dtype), None, None


def _wide(x: Tensor) -> Tensor:
    return x.float() if x.dtype.itemsize == 2 else x


def sinkhorn(cost: Tensor, *, epsilon: float, iterations: int) -> Tensor:
    """The plan for a matrix of costs, or a batch of them: rows sum to 1/n, and columns to 1/m when converged."""
    if not (cost.is_floating_point() or cost.is_complex()):
        raise TypeError(f"cost: floating numbers are wanted, got {str(cost.dtype).removeprefix('torch.')}")
    if epsilon <= 0:
        raise ValueError(f"epsilon={epsilon}: wanted epsilon > 0")
    if iterations < 1:
        raise ValueError(f"iterations={iterations}: wanted iterations >= 1")
    if cost.ndim < 2:
        raise ValueError(f"cost of shape {list(cost.shape)}: wanted a matrix, or a batch of them")
    return SinkhornFunction.apply(cost, epsilon, iterations)
