"""What all ranks of a process group have, along the first axis: its vjp is a reduce-scatter of the cotangents."""

from typing import Any

import torch
from torch import Tensor, distributed


class AllGatherFunction(torch.autograd.Function):
    """``AllGatherFunction.apply(x, group)``."""

    @staticmethod
    def forward(x: Tensor, group: Any) -> Tensor:
        x = x.contiguous()
        blocks = [torch.empty_like(x) for _ in range(distributed.get_world_size(group))]
        distributed.all_gather(blocks, x, group=group)
        return torch.cat(blocks)

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        ctx.group = inputs[1]

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, None]:  # None: group
        return TransposedFunction.apply(dy, ctx.group), None

    @staticmethod
    def vmap(info, in_dims, x: Tensor, group: Any) -> tuple[Tensor, int]:
        return AllGatherFunction.apply(x.movedim(in_dims[0], -1), group), x.dim() - 1


class TransposedFunction(torch.autograd.Function):
    """``TransposedFunction.apply(dy, group)``: the reduce-scatter, whose vjp is the gather again."""

    @staticmethod
    def forward(dy: Tensor, group: Any) -> Tensor:
        blocks = [block.contiguous() for block in dy.chunk(distributed.get_world_size(group))]
        dx = torch.empty_like(blocks[0])
        distributed.reduce_scatter(dx, blocks, group=group)
        return dx

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        ctx.group = inputs[1]

    @staticmethod
    def backward(ctx, ddx: Tensor) -> tuple[Tensor, None]:  # None: group
        return AllGatherFunction.apply(ddx, ctx.group), None

    @staticmethod
    def vmap(info, in_dims, dy: Tensor, group: Any) -> tuple[Tensor, int]:
        return TransposedFunction.apply(dy.movedim(in_dims[0], -1), group), dy.dim() - 1


def all_gather(x: Tensor, *, group: Any = None) -> Tensor:
    """Return what all ranks of a process group have, one after the other along the first axis; all have one shape.

    Raises
    ------
    ValueError
        If `x` has no axis.
    """
    if x.dim() == 0:
        raise ValueError("x has no axis: one is wanted, along which the ranks' blocks are joined")
    return AllGatherFunction.apply(x, group)
