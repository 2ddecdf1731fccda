"""One block of the sum over all ranks of a process group: its vjp is an all-gather of the cotangents."""

from typing import Any

import torch
from torch import Tensor, distributed


class ReduceScatterFunction(torch.autograd.Function):
    """``ReduceScatterFunction.apply(x, group)``."""

    @staticmethod
    def forward(x: Tensor, group: Any) -> Tensor:
        blocks = [block.contiguous() for block in x.chunk(distributed.get_world_size(group))]
        y = torch.empty_like(blocks[0])
        distributed.reduce_scatter(y, blocks, group=group)
        return y

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        ctx.group = inputs[1]

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, None]:  # None: group
        return TransposedFunction.apply(dy, ctx.group), None

    @staticmethod
    def vmap(info, in_dims, x: Tensor, group: Any) -> tuple[Tensor, int]:
        return ReduceScatterFunction.apply(x.movedim(in_dims[0], -1), group), x.dim() - 1


class TransposedFunction(torch.autograd.Function):
    """``TransposedFunction.apply(dy, group)``: the all-gather, whose vjp is the reduce-scatter again."""

    @staticmethod
    def forward(dy: Tensor, group: Any) -> Tensor:
        dy = dy.contiguous()
        blocks = [torch.empty_like(dy) for _ in range(distributed.get_world_size(group))]
        distributed.all_gather(blocks, dy, group=group)
        return torch.cat(blocks)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        ctx.group = inputs[1]

    @staticmethod
    def backward(ctx, ddx: Tensor) -> tuple[Tensor, None]:  # None: group
        return ReduceScatterFunction.apply(ddx, ctx.group), None

    @staticmethod
    def vmap(info, in_dims, dy: Tensor, group: Any) -> tuple[Tensor, int]:
        return TransposedFunction.apply(dy.movedim(in_dims[0], -1), group), dy.dim() - 1


def reduce_scatter(x: Tensor, *, group: Any = None) -> Tensor:
    """Return this rank's block, along the first axis, of the sum over the ranks of a process group.

    Raises
    ------
    ValueError
        If the first axis cannot be divided into one block for each rank.
    """
    ranks = distributed.get_world_size(group)
    if x.dim() == 0 or len(x) % ranks:
        raise ValueError(f"x of shape {list(x.shape)}: the first axis must be a multiple of the {ranks} ranks")
    return ReduceScatterFunction.apply(x, group)
