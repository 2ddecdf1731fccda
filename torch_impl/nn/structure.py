"""Blocks that keep less, as layers with their weights."""

import torch
from torch import Tensor
from torch.nn import Parameter

from torch_impl.nn.statics import Statics
from torch_impl.structure.reversible_block import reversible_block


class ReversibleBlock(Statics):
    """A residual block of two streams that keeps its outputs and not its inputs; the weights are Glorot's at first."""

    def __init__(self, size1: int, size2: int) -> None:
        super().__init__()
        self.size1, self.size2 = size1, size2
        self.w1 = Parameter(torch.nn.init.xavier_uniform_(torch.empty(size2, size1)))
        self.w2 = Parameter(torch.nn.init.xavier_uniform_(torch.empty(size1, size2)))

    def forward(self, x1: Tensor, x2: Tensor) -> tuple[Tensor, Tensor]:
        return reversible_block(x1, x2, self.w1, self.w2)
