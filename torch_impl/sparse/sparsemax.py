"""Sparsemax: the Euclidean projection onto the probability simplex."""

import torch
from torch import Tensor


class SparsemaxFunction(torch.autograd.Function):
    """``SparsemaxFunction.apply(x, axis)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, axis: int) -> Tensor:
        z = x.to(torch.promote_types(x.dtype, torch.float32))  # 16 bits lose the sums
        z = z - z.amax(axis, keepdim=True)
        ordered = z.clamp(min=-1).movedim(axis, -1).sort(descending=True).values  # the threshold is at least -1
        k = torch.arange(1, ordered.shape[-1] + 1, device=x.device)
        tau = ((ordered.cumsum(-1) - 1) / k).amax(-1).unsqueeze(axis)
        return (z - tau).clamp(min=0).to(x.dtype)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        _, ctx.axis = inputs
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, None]:  # None: axis is static
        (y,) = ctx.saved_tensors
        support = y.sign()
        share = support / support.sum(ctx.axis, keepdim=True)
        return support * (dy - (share * dy).sum(ctx.axis, keepdim=True)), None


def sparsemax(x: Tensor, *, axis: int = -1) -> Tensor:
    """The point of the probability simplex that is nearest to x, along an axis."""
    if not (x.is_floating_point() or x.is_complex()):
        raise TypeError(f"x: floating numbers are wanted, got {str(x.dtype).removeprefix('torch.')}")
    if not -x.dim() <= axis < x.dim() or x.shape[axis] == 0:
        raise ValueError(f"axis={axis}: wanted an axis of x {list(x.shape)} that is not empty")
    return SparsemaxFunction.apply(x, axis)
