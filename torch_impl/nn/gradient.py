"""Layers that leave the value alone and change the gradient."""

import torch
from torch import Tensor

from torch_impl.gradient.add_auxiliary_loss import add_auxiliary_loss
from torch_impl.gradient.clip_gradient import clip_gradient
from torch_impl.gradient.clip_gradient_norm import clip_gradient_norm
from torch_impl.gradient.guided_relu import guided_relu
from torch_impl.gradient.reverse_gradient import reverse_gradient
from torch_impl.gradient.scale_gradient import scale_gradient
from torch_impl.nn.statics import Statics


class AddAuxiliaryLoss(Statics):
    """x; each element of aux gets the gradient scale."""

    def __init__(self, *, scale: float = 1.0) -> None:
        super().__init__()
        self.scale = scale

    def forward(self, x: Tensor, aux: Tensor) -> Tensor:
        return add_auxiliary_loss(x, aux, scale=self.scale)


class ClipGradient(Statics):
    """x; the gradient is clipped to [low, high]."""

    def __init__(self, *, low: float, high: float) -> None:
        super().__init__()
        self.low, self.high = low, high
        self.forward(torch.empty(0))  # the op refuses what it cannot do

    def forward(self, x: Tensor) -> Tensor:
        return clip_gradient(x, low=self.low, high=self.high)


class ClipGradientNorm(Statics):
    """x; the gradient is no longer than max_norm, over the axes."""

    def __init__(self, *, max_norm: float, axis: int | tuple[int, ...] | None = None) -> None:
        super().__init__()
        self.max_norm, self.axis = max_norm, axis

    def forward(self, x: Tensor) -> Tensor:
        return clip_gradient_norm(x, max_norm=self.max_norm, axis=self.axis)


class GuidedRelu(Statics):
    """ReLU of guided backpropagation."""

    def forward(self, x: Tensor) -> Tensor:
        return guided_relu(x)


class ReverseGradient(Statics):
    """x; the gradient is -scale dy."""

    def __init__(self, *, scale: float = 1.0) -> None:
        super().__init__()
        self.scale = scale

    def forward(self, x: Tensor) -> Tensor:
        return reverse_gradient(x, scale=self.scale)


class ScaleGradient(Statics):
    """x; the gradient is scale dy."""

    def __init__(self, *, scale: float) -> None:
        super().__init__()
        self.scale = scale

    def forward(self, x: Tensor) -> Tensor:
        return scale_gradient(x, scale=self.scale)
