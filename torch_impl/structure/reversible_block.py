"""A residual block of two streams that keeps its outputs and not its inputs: these are computed back from them."""

import torch
from torch import Tensor


class ReversibleBlockFunction(torch.autograd.Function):
    """``ReversibleBlockFunction.apply(x1, x2, w1, w2)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x1: Tensor, x2: Tensor, w1: Tensor, w2: Tensor) -> tuple[Tensor, Tensor]:
        y1 = x1 + torch.tanh(x2 @ w1)
        return y1, x2 + torch.tanh(y1 @ w2)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        _, _, w1, w2 = inputs
        ctx.save_for_backward(*output, w1, w2)

    @staticmethod
    def backward(ctx, dy1: Tensor, dy2: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        y1, y2, w1, w2 = ctx.saved_tensors
        t2 = torch.tanh(y1 @ w2)
        x2 = y2 - t2
        t1 = torch.tanh(x2 @ w1)
        q2 = dy2 * (1 - t2 * t2)
        dx1 = dy1 + q2 @ w2.mT
        q1 = dx1 * (1 - t1 * t1)
        return dx1, dy2 + q1 @ w1.mT, _outer(x2, q1), _outer(y1, q2)


def _outer(a: Tensor, b: Tensor) -> Tensor:
    """a^T b, summed over all axes but the last."""
    return a.reshape(-1, a.shape[-1]).mT @ b.reshape(-1, b.shape[-1])


def reversible_block(x1: Tensor, x2: Tensor, w1: Tensor, w2: Tensor) -> tuple[Tensor, Tensor]:
    """(x1 + tanh(x2 w1), x2 + tanh(y1 w2)) for x1 and x2 with last axes n and m, w1 of (m, n) and w2 of (n, m)."""
    n, m = x1.shape[-1], x2.shape[-1]
    for name, w, shape in (("w1", w1, [m, n]), ("w2", w2, [n, m])):
        if list(w.shape) != shape:
            raise ValueError(f"{name} of shape {list(w.shape)}: wanted {shape}, by the last axes of x1 and x2")
    return ReversibleBlockFunction.apply(x1, x2, w1, w2)
