"""Layers that leave the value alone and change the gradient."""

from typing import Any

import tensorflow as tf
from tensorflow import Tensor

from tf_impl.gradient.add_auxiliary_loss import add_auxiliary_loss
from tf_impl.gradient.clip_gradient import clip_gradient
from tf_impl.gradient.clip_gradient_norm import clip_gradient_norm
from tf_impl.gradient.guided_relu import guided_relu
from tf_impl.gradient.reverse_gradient import reverse_gradient
from tf_impl.gradient.scale_gradient import scale_gradient
from tf_impl.layers.statics import Statics, registered


@registered
class AddAuxiliaryLoss(Statics):
    """x; each element of aux gets the gradient scale."""

    def __init__(self, *, scale: float = 1.0, **options: Any) -> None:
        super().__init__(**options)
        self.scale = scale

    def call(self, x: Tensor, aux: Tensor) -> Tensor:
        return add_auxiliary_loss(x, aux, scale=self.scale)


@registered
class ClipGradient(Statics):
    """x; the gradient is clipped to [low, high]."""

    def __init__(self, *, low: float, high: float, **options: Any) -> None:
        super().__init__(**options)
        self.low, self.high = low, high
        self.call(tf.zeros([0]))  # the op refuses what it cannot do

    def call(self, x: Tensor) -> Tensor:
        return clip_gradient(x, low=self.low, high=self.high)


@registered
class ClipGradientNorm(Statics):
    """x; the gradient is no longer than max_norm, over the axes."""

    def __init__(self, *, max_norm: float, axis: int | tuple[int, ...] | None = None, **options: Any) -> None:
        super().__init__(**options)
        self.max_norm = max_norm
        self.axis = tuple(axis) if isinstance(axis, list) else axis  # a file has no tuples

    def call(self, x: Tensor) -> Tensor:
        return clip_gradient_norm(x, max_norm=self.max_norm, axis=self.axis)


@registered
class GuidedRelu(Statics):
    """ReLU of guided backpropagation."""

    def call(self, x: Tensor) -> Tensor:
        return guided_relu(x)


@registered
class ReverseGradient(Statics):
    """x; the gradient is -scale dy."""

    def __init__(self, *, scale: float = 1.0, **options: Any) -> None:
        super().__init__(**options)
        self.scale = scale

    def call(self, x: Tensor) -> Tensor:
        return reverse_gradient(x, scale=self.scale)


@registered
class ScaleGradient(Statics):
    """x; the gradient is scale dy."""

    def __init__(self, *, scale: float, **options: Any) -> None:
        super().__init__(**options)
        self.scale = scale

    def call(self, x: Tensor) -> Tensor:
        return scale_gradient(x, scale=self.scale)
