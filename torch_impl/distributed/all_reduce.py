"""The sum over all ranks of a process group: its vjp is the same sum of the cotangents."""

from typing import Any

import torch
from torch import Tensor, distributed


class AllReduceFunction(torch.autograd.Function):
    """``AllReduceFunction.apply(x, group)``."""

    @staticmethod
    def forward(x: Tensor, group: Any) -> Tensor:
        y = x.clone(memory_format=torch.contiguous_format)  # the collective writes into its argument
        distributed.all_reduce(y, group=group)
        return y

    @staticmethod
    def setup_context(ctx, inputs, output) -> None:
        ctx.group = inputs[1]

    @staticmethod
    def backward(ctx, dy: Tensor) -> tuple[Tensor, None]:  # None: group
        return AllReduceFunction.apply(dy, ctx.group), None

    @staticmethod
    def vmap(info, in_dims, x: Tensor, group: Any) -> tuple[Tensor, int]:
        return AllReduceFunction.apply(x, group), in_dims[0]


def all_reduce(x: Tensor, *, group: Any = None) -> Tensor:
    """Return the sum over the ranks of a process group, the default one if none is given."""
    return AllReduceFunction.apply(x, group)
