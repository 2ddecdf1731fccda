"""Eigenvalues and eigenvectors of a symmetric matrix; the gradient is finite where eigenvalues are repeated."""

import torch
from torch import Tensor


class SafeEighFunction(torch.autograd.Function):
    """``SafeEighFunction.apply(a, broadening)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(a: Tensor, broadening: float) -> tuple[Tensor, Tensor]:
        s = 0.5 * (a + a.mT)
        usable = s.isfinite().all(-1).all(-1)[..., None]
        w, v = torch.linalg.eigh(torch.where(usable[..., None], s, 0))
        size = v.abs()
        first = (size > 0.55 * size.amax(-2, keepdim=True)).to(torch.int8).argmax(-2, keepdim=True)
        v = v * v.gather(-2, first).sign()
        return torch.where(usable, w, torch.nan), torch.where(usable[..., None], v, torch.nan)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        _, ctx.broadening = inputs
        ctx.save_for_backward(*output)

    @staticmethod
    def backward(ctx, dw: Tensor, dv: Tensor) -> tuple[Tensor, None]:  # None: broadening is static
        w, v = ctx.saved_tensors
        d = w.unsqueeze(-2) - w.unsqueeze(-1)
        one = torch.eye(w.shape[-1], dtype=w.dtype, device=w.device)  # on the diagonal d is 0
        inner = d / (d * d + ctx.broadening + one) * (v.mT @ dv) + dw.unsqueeze(-1) * one
        dx = v @ inner @ v.mT
        return 0.5 * (dx + dx.mT), None


def safe_eigh(a: Tensor, *, broadening: float) -> tuple[Tensor, Tensor]:
    """Ascending eigenvalues, and eigenvectors in columns, of the symmetric part of a matrix or a batch of them."""
    if not (a.is_floating_point() or a.is_complex()):
        raise TypeError(f"a: floating numbers are wanted, got {str(a.dtype).removeprefix('torch.')}")
    if broadening < 0:
        raise ValueError(f"broadening={broadening!r}: wanted a number >= 0")
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise ValueError(f"a: wanted square matrices, got shape {list(a.shape)}")
    w, v = SafeEighFunction.apply(a.to(torch.promote_types(a.dtype, torch.float32)), broadening)
    return w.to(a.dtype), v.to(a.dtype)
