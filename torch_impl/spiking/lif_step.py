"""One step of a leaky integrate-and-fire neuron; keeps its outputs alone."""

import torch
from torch import Tensor


class LifStepFunction(torch.autograd.Function):
    """``LifStepFunction.apply(x, v, decay, threshold, slope)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, v: Tensor, decay: float, threshold: float, slope: float) -> tuple[Tensor, Tensor]:
        u = torch.add(x, v, alpha=decay)
        spike = (u - threshold).sign_().relu_()
        return spike, u.sub_(spike, alpha=threshold)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        _, _, ctx.decay, ctx.threshold, ctx.slope = inputs
        ctx.save_for_backward(*output)

    @staticmethod
    def backward(
        ctx, dspike: Tensor, dv_next: Tensor
    ) -> tuple[Tensor, Tensor, None, None, None]:  # None: decay, threshold and slope are static
        spike, v_next = ctx.saved_tensors
        above = torch.add(v_next, spike.detach() - 1, alpha=ctx.threshold)  # u - threshold
        r = above.abs_().mul_(ctx.slope).add_(1).reciprocal_()
        dx = torch.addcmul(dv_next, dspike * r, r)
        return dx, ctx.decay * dx, None, None, None


def lif_step(x: Tensor, v: Tensor, *, decay: float, threshold: float, slope: float) -> tuple[Tensor, Tensor]:
    """Spike and next potential, both of the inputs' one shape; the reset is not differentiated."""
    if not (0 <= decay <= 1 and slope > 0):
        raise ValueError(f"decay={decay}, slope={slope}: wanted 0 <= decay <= 1 and slope > 0")
    if x.shape != v.shape:
        raise ValueError(f"x of shape {list(x.shape)}, v of shape {list(v.shape)}: wanted one shape")
    return LifStepFunction.apply(x, v, decay, threshold, slope)
