"""Normalisations over the last axis, as layers with their gain and bias."""

import torch
from torch import Tensor
from torch.nn import Parameter

from torch_impl.nn.statics import Statics
from torch_impl.normalize.layer_norm import layer_norm
from torch_impl.normalize.rms_norm import rms_norm


class LayerNorm(Statics):
    """Mean 0 and variance 1 over the last axis, then a gain, 1 at first, and a bias, 0 at first."""

    def __init__(self, size: int, *, eps: float) -> None:
        super().__init__()
        self.size, self.eps = size, eps
        self.gain = Parameter(torch.ones(size))
        self.bias = Parameter(torch.zeros(size))
        self.forward(torch.zeros(size))  # the op refuses what it cannot do

    def forward(self, x: Tensor) -> Tensor:
        return layer_norm(x, self.gain, self.bias, eps=self.eps)


class RmsNorm(Statics):
    """Division by the root mean square over the last axis, times a gain, 1 at first."""

    def __init__(self, size: int, *, eps: float) -> None:
        super().__init__()
        self.size, self.eps = size, eps
        self.gain = Parameter(torch.ones(size))
        self.forward(torch.zeros(size))  # the op refuses what it cannot do

    def forward(self, x: Tensor) -> Tensor:
        return rms_norm(x, self.gain, eps=self.eps)
