"""Logarithm of the absolute value of a determinant; the factors of the matrix serve the gradient too."""

import torch
from torch import Tensor


class LogdetFunction(torch.autograd.Function):
    """``LogdetFunction.apply(a, lu, pivots)``, where lu and pivots are the factors of a."""

    generate_vmap_rule = True

    @staticmethod
    def forward(a: Tensor, lu: Tensor, pivots: Tensor) -> Tensor:
        return lu.diagonal(dim1=-2, dim2=-1).abs().log().sum(-1)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, None, None]:  # None: the factors follow from a
        return dy[..., None, None] * InverseFunction.apply(*ctx.saved_tensors).mT, None, None


class InverseFunction(torch.autograd.Function):
    """``InverseFunction.apply(a, lu, pivots)``: the inverse of a from its factors."""

    generate_vmap_rule = True

    @staticmethod
    def forward(a: Tensor, lu: Tensor, pivots: Tensor) -> Tensor:
        identity = torch.eye(lu.shape[-1], dtype=lu.dtype, device=lu.device)
        return torch.linalg.lu_solve(lu, pivots, identity.expand_as(lu))

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, dz: Tensor) -> tuple[Tensor, None, None]:
        (z,) = ctx.saved_tensors
        return -z.mT @ dz @ z.mT, None, None


def logdet(a: Tensor) -> Tensor:
    """log |det a| of a square matrix or of each one in a batch."""
    if not (a.is_floating_point() or a.is_complex()):
        raise TypeError(f"a: floating numbers are wanted, got {str(a.dtype).removeprefix('torch.')}")
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise ValueError(f"a: wanted square matrices, got shape {list(a.shape)}")
    wide = a.to(torch.promote_types(a.dtype, torch.float32))
    usable = wide.detach().isfinite().all(-1).all(-1)[..., None, None]
    identity = torch.eye(a.shape[-1], dtype=wide.dtype, device=a.device)
    lu, pivots, _ = torch.linalg.lu_factor_ex(torch.where(usable, wide.detach(), identity))
    return LogdetFunction.apply(wide, torch.where(usable, lu, torch.nan), pivots).to(a.dtype)
