"""The value as it is, the gradient no longer than max_norm."""

import torch
from torch import Tensor


class ClipGradientNormFunction(torch.autograd.Function):
    """``ClipGradientNormFunction.apply(x, max_norm, axis)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, max_norm: float, axis: int | tuple[int, ...] | None) -> Tensor:
        return x.view_as(x)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        _, ctx.max_norm, ctx.axis = inputs

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, None, None]:  # None: max_norm and axis are static
        if not dy.numel():
            return dy, None, None  # nothing has no largest element
        v = dy.to(torch.promote_types(dy.dtype, torch.float32))
        axes = () if ctx.axis is None else ctx.axis  # () are all
        m = v.detach().abs().amax(axes, keepdim=True)  # dx does not depend on it
        u = v / torch.where(m > 0, m, 1)
        s = torch.linalg.vector_norm(u, dim=ctx.axis, keepdim=True).clamp(min=0.5)  # it is 0, or 1 at least
        short = m * s <= ctx.max_norm  # not if NaN
        dx = (v / torch.where(short, 1, m)).mul_(torch.where(short, s, ctx.max_norm) / s)
        return dx.to(dy.dtype), None, None


def clip_gradient_norm(x: Tensor, *, max_norm: float, axis: int | tuple[int, ...] | None = None) -> Tensor:
    """x of any shape; the gradient is dy, shortened to max_norm over the axes where it is longer."""
    if not max_norm >= 0:
        raise ValueError(f"max_norm={max_norm}: wanted max_norm >= 0")
    if axis is not None:
        axes = (axis,) if isinstance(axis, int) else axis
        if not axes or len({k % x.ndim for k in axes if -x.ndim <= k < x.ndim}) < len(axes):
            raise ValueError(f"axis={axis}: wanted None or different axes of x {list(x.shape)}")
    return ClipGradientNormFunction.apply(x, max_norm, axis)
