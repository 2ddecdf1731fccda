"""Cross entropy with a softmax and smoothed labels."""

import torch
from torch import Tensor


class SmoothedCrossEntropyFunction(torch.autograd.Function):
    """``SmoothedCrossEntropyFunction.apply(x, labels, smoothing)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, labels: Tensor, smoothing: float) -> Tensor:
        z = x.to(torch.promote_types(x.dtype, torch.float32))  # 16 bits lose the sums
        at_label = z.gather(-1, labels.unsqueeze(-1).long()).squeeze(-1)
        mean = (z * (smoothing / x.shape[-1])).sum(-1)
        # Halves: a part of the sum may be twice as large as the whole.
        half = z.logsumexp(-1) / 2 - (1 - smoothing) / 2 * at_label - mean / 2
        return (2 * half).to(x.dtype)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        x, labels, ctx.smoothing = inputs
        ctx.save_for_backward(x, labels)

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, None, None]:  # None: labels are integers, smoothing is static
        x, labels = ctx.saved_tensors
        slope = x.softmax(-1) - ctx.smoothing / x.shape[-1]
        at = labels.unsqueeze(-1).long()
        slope = slope.scatter(-1, at, slope.gather(-1, at) - (1 - ctx.smoothing))
        return dy.unsqueeze(-1) * slope, None, None


def smoothed_cross_entropy(x: Tensor, labels: Tensor, *, smoothing: float) -> Tensor:
    """Cross entropy of each row of x; labels are integers that number its last axis."""
    if not (x.is_floating_point() or x.is_complex()):
        raise TypeError(f"x: floating numbers are wanted, got {str(x.dtype).removeprefix('torch.')}")
    if not 0 <= smoothing <= 1:
        raise ValueError(f"smoothing={smoothing}: wanted 0 <= smoothing <= 1")
    _refuse(x, labels)
    return SmoothedCrossEntropyFunction.apply(x, labels, smoothing)


def _refuse(x: Tensor, labels: Tensor) -> None:
    if labels.dtype.is_floating_point or labels.dtype == torch.bool:
        raise TypeError(f"labels: integers are wanted, got {str(labels.dtype).removeprefix('torch.')}")
    if x.dim() == 0 or labels.shape != x.shape[:-1]:
        raise ValueError(f"labels {list(labels.shape)}: wanted one for each row of x {list(x.shape)}")
    if not torch.compiler.is_compiling():
        seen, n = torch.func.debug_unwrap(labels), x.shape[-1]
        bad = seen[(seen < 0) | (seen >= n)]
        if bad.numel():
            raise ValueError(f"labels={bad[0].item()}: wanted 0 <= labels < {n}, the length of the last axis of x")
