"""Softmax over the elements that a mask leaves; a row without any gives 0."""

import torch
from torch import Tensor


class MaskedSoftmaxFunction(torch.autograd.Function):
    """``MaskedSoftmaxFunction.apply(x, mask, axis)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, mask: Tensor, axis: int) -> Tensor:
        hidden = mask == 0
        return x.masked_fill(hidden, -torch.inf).softmax(axis).masked_fill(hidden, 0)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        _, _, ctx.axis = inputs
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, None, None]:  # None: the mask has no gradient, axis is static
        (y,) = ctx.saved_tensors
        dx = torch.ops.aten._softmax_backward_data(dy, y, ctx.axis, y.dtype)  # noqa: SLF001  # y (dy - sum(y dy))
        return dx, None, None


def masked_softmax(x: Tensor, mask: Tensor, *, axis: int = -1) -> Tensor:
    """Softmax along an axis where the mask, integers or booleans, is not 0; elsewhere 0."""
    if not (x.is_floating_point() or x.is_complex()):
        raise TypeError(f"x: floating numbers are wanted, got {str(x.dtype).removeprefix('torch.')}")
    if not -x.dim() <= axis < x.dim() or x.shape[axis] == 0:
        raise ValueError(f"axis={axis}: wanted an axis of x {list(x.shape)} that is not empty")
    if mask.dtype.is_floating_point:
        raise TypeError(f"mask: integers or booleans are wanted, got {str(mask.dtype).removeprefix('torch.')}")
    if mask.dim() > x.dim() or any(m not in {1, n} for m, n in zip(mask.shape[::-1], x.shape[::-1], strict=False)):
        raise ValueError(f"mask {list(mask.shape)}: wanted a shape that broadcasts to that of x {list(x.shape)}")
    return MaskedSoftmaxFunction.apply(x, mask, axis)
