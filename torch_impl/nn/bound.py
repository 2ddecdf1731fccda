"""Bounds whose gradient helps what lies beyond them to come back, as layers with one number for a bound."""

import torch
from torch import Tensor

from torch_impl.bound.lower_bound import lower_bound
from torch_impl.bound.upper_bound import upper_bound
from torch_impl.nn.statics import Statics


class LowerBound(Statics):
    """max(x, bound); what lies below the bound gets a gradient where that moves it back."""

    def __init__(self, bound: float, *, gradient: str = "identity_if_towards") -> None:
        super().__init__()
        self.bound, self.gradient = bound, gradient
        self.forward(torch.empty(0))  # the op refuses what it cannot do

    def forward(self, x: Tensor) -> Tensor:
        return lower_bound(x, torch.full_like(x, self.bound), gradient=self.gradient)


class UpperBound(Statics):
    """min(x, bound); what lies above the bound gets a gradient where that moves it back."""

    def __init__(self, bound: float, *, gradient: str = "identity_if_towards") -> None:
        super().__init__()
        self.bound, self.gradient = bound, gradient
        self.forward(torch.empty(0))  # the op refuses what it cannot do

    def forward(self, x: Tensor) -> Tensor:
        return upper_bound(x, torch.full_like(x, self.bound), gradient=self.gradient)
