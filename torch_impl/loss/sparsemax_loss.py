"""Sparsemax loss: what the cross entropy is to softmax, with exact zeros in the gradient."""

import torch
from torch import Tensor


class SparsemaxLossFunction(torch.autograd.Function):
    """``SparsemaxLossFunction.apply(x, labels)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, labels: Tensor) -> Tensor:
        at = labels.unsqueeze(-1).long()
        z, tau = _threshold(x)
        others = (z - tau).clamp(min=0).scatter(-1, at, 0)
        missing = (tau - z.gather(-1, at)).clamp(min=0).squeeze(-1)
        short = others.sum(-1)  # 1 - p at the label
        return (((others * others).sum(-1) + short * short) / 2 + missing).to(x.dtype)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, None]:  # None: labels are integers
        x, labels = ctx.saved_tensors
        at = labels.unsqueeze(-1).long()
        z, tau = _threshold(x)
        others = (z - tau).clamp(min=0).scatter(-1, at, 0)
        slope = others.scatter(-1, at, -others.sum(-1, keepdim=True))
        return dy.unsqueeze(-1) * slope.to(x.dtype), None


def _threshold(x: Tensor) -> tuple[Tensor, Tensor]:
    """Return z, which is x less its largest, and tau, with sum(max(z - tau, 0)) = 1 in each row."""
    x = x.to(torch.promote_types(x.dtype, torch.float32))  # 16 bits lose the sums
    z = x - x.detach().amax(-1, keepdim=True)
    ordered = z.detach().clamp(min=-1).sort(descending=True).values  # the threshold is at least -1
    k = torch.arange(1, ordered.shape[-1] + 1, device=x.device)
    tau = ((ordered.cumsum(-1) - 1) / k).amax(-1, keepdim=True)
    over = (z - tau).clamp(min=0)  # a step of Newton's method from a constant: it has the derivative of the solution
    return z, tau + (over.sum(-1, keepdim=True) - 1) / over.sign().sum(-1, keepdim=True)


def sparsemax_loss(x: Tensor, labels: Tensor) -> Tensor:
    """Sparsemax loss of each row of x; labels are integers that number its last axis."""
    if not (x.is_floating_point() or x.is_complex()):
        raise TypeError(f"x: floating numbers are wanted, got {str(x.dtype).removeprefix('torch.')}")
    _refuse(x, labels)
    return SparsemaxLossFunction.apply(x, labels)


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
