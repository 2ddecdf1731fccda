"""Inverse square root of a symmetric positive definite matrix, the gradient by a Sylvester equation."""

import torch
from torch import Tensor


class MatrixInverseSqrtFunction(torch.autograd.Function):
    """``MatrixInverseSqrtFunction.apply(a, r, v)``, where the symmetric part of a is v diag(r^2) v^T."""

    generate_vmap_rule = True

    @staticmethod
    def forward(a: Tensor, r: Tensor, v: Tensor) -> Tensor:
        return (v / r.unsqueeze(-2)) @ v.mT

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        ctx.save_for_backward(*inputs, output)

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, None, None]:  # None: r and v follow from a
        a, r, v, y = ctx.saved_tensors
        y = y.to(v.dtype)  # under autocast it has a narrower type
        return -y @ SylvesterFunction.apply(a, r, v, dy) @ y, None, None


class SylvesterFunction(torch.autograd.Function):
    """``SylvesterFunction.apply(a, r, v, c)``: the X with w X + X w = (c + c^T) / 2, where w = v diag(r) v^T."""

    generate_vmap_rule = True

    @staticmethod
    def forward(a: Tensor, r: Tensor, v: Tensor, c: Tensor) -> Tensor:
        c = c.to(v.dtype)  # under autocast the product of the forward has a narrower type
        inner = v.mT @ (0.5 * (c + c.mT)) @ v
        return v @ (inner / (r.unsqueeze(-1) + r.unsqueeze(-2))) @ v.mT

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        ctx.save_for_backward(*inputs[:3], output)

    @staticmethod
    def backward(ctx, dx: Tensor) -> tuple[Tensor, None, None, Tensor]:
        a, r, v, x = ctx.saved_tensors
        z = SylvesterFunction.apply(a, r, v, dx)
        w = z @ x
        return SylvesterFunction.apply(a, r, v, -(w + w.mT)), None, None, z


def matrix_inverse_sqrt(a: Tensor) -> Tensor:
    """Inverse root of the symmetric part of a square matrix or a batch of them; NaN where that is not positive."""
    if not (a.is_floating_point() or a.is_complex()):
        raise TypeError(f"a: floating numbers are wanted, got {str(a.dtype).removeprefix('torch.')}")
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise ValueError(f"a: wanted square matrices, got shape {list(a.shape)}")
    wide = a.to(torch.promote_types(a.dtype, torch.float32))
    s = 0.5 * (wide + wide.mT).detach()
    usable = s.isfinite().all(-1).all(-1)
    w, v = torch.linalg.eigh(torch.where(usable[..., None, None], s, 0))
    r = torch.where(usable[..., None], w, torch.nan).sqrt()
    return MatrixInverseSqrtFunction.apply(wide, r, v).to(a.dtype)
