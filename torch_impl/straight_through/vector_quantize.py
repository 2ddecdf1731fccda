"""The nearest row of a codebook; the gradient passes straight through to x."""

import torch
from torch import Tensor


class VectorQuantizeFunction(torch.autograd.Function):
    """``VectorQuantizeFunction.apply(x, codebook)``."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor, codebook: Tensor) -> Tensor:
        rows, codes = x.double().reshape(-1, x.shape[-1]), codebook.double()  # products of two float32 are exact there
        distance = torch.addmm(codes.square().sum(-1) / 2, rows, codes.mT, alpha=-1)  # half of it, less |x|^2 / 2
        return codebook.index_select(0, distance.argmin(-1)).reshape(x.shape)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        _, codebook = inputs
        ctx.shape = codebook.shape

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, Tensor]:
        return dy, dy.new_zeros(ctx.shape)


def vector_quantize(x: Tensor, codebook: Tensor) -> Tensor:
    """The row of the codebook that is nearest to each row of x, the first of equally near ones."""
    if x.dim() == 0:
        raise ValueError("x of shape []: wanted at least one axis")
    if codebook.dim() != 2 or codebook.shape[1] != x.shape[-1] or not len(codebook):
        raise ValueError(f"codebook of shape {list(codebook.shape)}: wanted [n, {x.shape[-1]}] with n >= 1")
    return VectorQuantizeFunction.apply(x, codebook)
