"""Entmax with alpha = 1.5: between softmax and sparsemax."""

import torch
from torch import Tensor


class Entmax15Function(torch.autograd.Function):
    """``Entmax15Function.apply(x, axis)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, axis: int) -> Tensor:
        z = x.to(torch.promote_types(x.dtype, torch.float32)) / 2  # 16 bits lose the sums
        z = z - z.amax(axis, keepdim=True)
        ordered = z.clamp(min=-1).movedim(axis, -1).sort(descending=True).values  # the threshold is at least -1
        k = torch.arange(1, ordered.shape[-1] + 1, device=x.device)
        mean = ordered.cumsum(-1) / k
        left = (1 - (ordered * ordered).cumsum(-1)) / k + mean * mean
        tau = torch.minimum(mean - left.clamp(min=0).sqrt(), ordered).amax(-1).unsqueeze(axis)
        s = (z - tau).clamp(min=0)
        tau = tau + ((s * s).sum(axis, keepdim=True) - 1) / (2 * s.sum(axis, keepdim=True))  # a step of Newton's
        s = (z - tau).clamp(min=0)
        return (s * s).to(x.dtype)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        _, ctx.axis = inputs
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, None]:  # None: axis is static
        (y,) = ctx.saved_tensors
        s = torch.where(y > 0, y, 1).sqrt() * y.sign()  # the root of 0 has no second derivative
        share = s / s.sum(ctx.axis, keepdim=True)
        return s * (dy - (share * dy).sum(ctx.axis, keepdim=True)), None


def entmax15(x: Tensor, *, axis: int = -1) -> Tensor:
    """Probabilities along an axis, those of small x exactly 0."""
    if not (x.is_floating_point() or x.is_complex()):
        raise TypeError(f"x: floating numbers are wanted, got {str(x.dtype).removeprefix('torch.')}")
    if not -x.dim() <= axis < x.dim() or x.shape[axis] == 0:
        raise ValueError(f"axis={axis}: wanted an axis of x {list(x.shape)} that is not empty")
    return Entmax15Function.apply(x, axis)
