"""Focal loss of a softmax: cross entropy that counts less where the label is already likely."""

import torch
from torch import Tensor
from torch.nn.functional import logsigmoid


class FocalLossFunction(torch.autograd.Function):
    """``FocalLossFunction.apply(x, labels, gamma, alpha)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, labels: Tensor, gamma: float, alpha: float) -> Tensor:
        _, rest, at_label = _parts(x, labels)
        m = (rest - at_label).clamp(min=torch.finfo(rest.dtype).min)  # p of the label is sigmoid(-m)
        entropy = (alpha * rest - alpha * at_label).clamp(min=0) - alpha * logsigmoid(m.abs())  # -alpha log p
        return ((gamma * logsigmoid(m)).exp() * entropy).to(x.dtype)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        x, labels, ctx.gamma, ctx.alpha = inputs
        ctx.save_for_backward(x, labels)

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, None, None, None]:  # None: labels are integers, the rest static
        x, labels = ctx.saved_tensors
        others, rest, at_label = _parts(x, labels)
        lowest = torch.finfo(rest.dtype).min
        m = (rest - at_label).clamp(min=lowest)
        entropy = m.neg().sigmoid() * logsigmoid(-m).clamp(min=lowest)  # p log p, and 0 log 0 = 0
        by_margin = ctx.alpha * (ctx.gamma * logsigmoid(m)).exp() * (m.sigmoid() - ctx.gamma * entropy)
        slope = others.softmax(-1).scatter(-1, labels.unsqueeze(-1).long(), -1)
        return dy.unsqueeze(-1) * (by_margin.unsqueeze(-1) * slope).to(x.dtype), None, None, None


def _parts(x: Tensor, labels: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return x without the labels' elements, log(sum of e^x) over these others, and x at the label."""
    x = x.to(torch.promote_types(x.dtype, torch.float32))  # 16 bits lose the sums
    at = labels.unsqueeze(-1).long()
    others = x.scatter(-1, at, torch.finfo(x.dtype).min)
    return others, others.logsumexp(-1), x.gather(-1, at).squeeze(-1)


def focal_loss(x: Tensor, labels: Tensor, *, gamma: float, alpha: float) -> Tensor:
    """alpha (1 - p)^gamma times the cross entropy of each row of x; labels are integers that number its last axis."""
    if not (x.is_floating_point() or x.is_complex()):
        raise TypeError(f"x: floating numbers are wanted, got {str(x.dtype).removeprefix('torch.')}")
    if not 0 <= gamma < float("inf"):
        raise ValueError(f"gamma={gamma}: wanted a finite gamma >= 0")
    if not 0 < alpha < float("inf"):
        raise ValueError(f"alpha={alpha}: wanted a finite alpha > 0")
    _refuse(x, labels)
    return FocalLossFunction.apply(x, labels, gamma, alpha)


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
