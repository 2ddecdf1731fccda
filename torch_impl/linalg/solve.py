"""Solution of a system of linear equations; the factors of the matrix serve the gradient too."""

import torch
from torch import Tensor


class SolveFunction(torch.autograd.Function):
    """``SolveFunction.apply(a, b, lu, pivots, adjoint)``, where lu and pivots are the factors of a."""

    generate_vmap_rule = True

    @staticmethod
    def forward(a: Tensor, b: Tensor, lu: Tensor, pivots: Tensor, adjoint: bool) -> Tensor:
        return torch.linalg.lu_solve(lu, pivots, b, adjoint=adjoint)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        a, _, lu, pivots, ctx.adjoint = inputs
        ctx.save_for_backward(a, lu, pivots, output)

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, Tensor, None, None, None]:  # None: the factors follow from a
        a, lu, pivots, y = ctx.saved_tensors
        db = SolveFunction.apply(a, dy, lu, pivots, not ctx.adjoint)
        da = y @ db.mT if ctx.adjoint else db @ y.mT
        return -da, db, None, None, None


def solve(a: Tensor, b: Tensor) -> Tensor:
    """The y with a y = b, for a square matrix or a batch of them and as many b of one or more columns."""
    if not (a.is_floating_point() or a.is_complex()):
        raise TypeError(f"a: floating numbers are wanted, got {str(a.dtype).removeprefix('torch.')}")
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise ValueError(f"a: wanted square matrices, got shape {list(a.shape)}")
    if b.ndim != a.ndim or b.shape[:-1] != a.shape[:-1]:
        raise ValueError(f"b: wanted shape {[*a.shape[:-1], 'k']}, got {list(b.shape)}")
    wide = torch.promote_types(a.dtype, torch.float32)
    at, identity = a.to(wide), torch.eye(a.shape[-1], dtype=wide, device=a.device)
    usable = at.detach().isfinite().all(-1).all(-1)[..., None, None]
    lu, pivots = torch.linalg.lu_factor(torch.where(usable, at.detach(), identity))
    return SolveFunction.apply(at, b.to(wide), torch.where(usable, lu, torch.nan), pivots, False).to(a.dtype)
