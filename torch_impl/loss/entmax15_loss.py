"""Entmax loss with alpha = 1.5: between cross entropy and sparsemax loss."""

import torch
from torch import Tensor


class Entmax15LossFunction(torch.autograd.Function):
    """``Entmax15LossFunction.apply(x, labels)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, labels: Tensor) -> Tensor:
        at = labels.unsqueeze(-1).long()
        z, tau = _threshold(x)
        s = (z - tau).clamp(min=0)
        others, s = s.scatter(-1, at, 0), s.gather(-1, at).squeeze(-1)
        missing = (tau - z.gather(-1, at)).clamp(min=0).squeeze(-1)
        squares = others * others
        short = squares.sum(-1) / (1 + s)  # 1 - s at the label
        return (2 * (((s + 2) * short * short + (squares * others).sum(-1)) / 3 + missing)).to(x.dtype)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, None]:  # None: labels are integers
        x, labels = ctx.saved_tensors
        at = labels.unsqueeze(-1).long()
        z, tau = _threshold(x)
        s = (z - tau).clamp(min=0)
        others = (s * s).scatter(-1, at, 0)
        slope = others.scatter(-1, at, -others.sum(-1, keepdim=True))
        return dy.unsqueeze(-1) * slope.to(x.dtype), None


def _threshold(x: Tensor) -> tuple[Tensor, Tensor]:
    """Return z, which is x / 2 less its largest, and tau, with sum(max(z - tau, 0)^2) = 1 in each row."""
    x = x.to(torch.promote_types(x.dtype, torch.float32)) / 2  # 16 bits lose the sums
    z = x - x.detach().amax(-1, keepdim=True)
    ordered = z.detach().clamp(min=-1).sort(descending=True).values  # the threshold is at least -1
    k = torch.arange(1, ordered.shape[-1] + 1, device=x.device)
    mean = ordered.cumsum(-1) / k
    left = (1 - (ordered * ordered).cumsum(-1)) / k + mean * mean
    tau = torch.minimum(mean - left.clamp(min=0).sqrt(), ordered).amax(-1, keepdim=True)
    s = (z - tau).clamp(min=0)  # a step of Newton's method from a constant: it has the derivative of the solution
    return z, tau + ((s * s).sum(-1, keepdim=True) - 1) / (2 * s.sum(-1, keepdim=True))


def entmax15_loss(x: Tensor, labels: Tensor) -> Tensor:
    """Entmax loss of each row of x; labels are integers that number its last axis."""
    if not (x.is_floating_point() or x.is_complex()):
        raise TypeError(f"x: floating numbers are wanted, got {str(x.dtype).removeprefix('torch.')}")
    _refuse(x, labels)
    return Entmax15LossFunction.apply(x, labels)


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
