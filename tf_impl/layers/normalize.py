"""Normalisations over the last axis, as layers with their gain and bias."""

from typing import Any

from tensorflow import Tensor

from tf_impl.layers.statics import Statics, registered
from tf_impl.normalize.layer_norm import layer_norm
from tf_impl.normalize.rms_norm import rms_norm


@registered
class LayerNorm(Statics):
    """Mean 0 and variance 1 over the last axis, then a gain, 1 at first, and a bias, 0 at first."""

    def __init__(self, size: int, *, eps: float, **options: Any) -> None:
        super().__init__(**options)
        self.size, self.eps = size, eps

    def build(self, x_shape: tuple[int | None, ...]) -> None:
        self.gain = self.add_weight(shape=(self.size,), initializer="ones", name="gain")
        self.bias = self.add_weight(shape=(self.size,), initializer="zeros", name="bias")

    def call(self, x: Tensor) -> Tensor:
        return layer_norm(x, self.gain, self.bias, eps=self.eps)


@registered
class RmsNorm(Statics):
    """Division by the root mean square over the last axis, times a gain, 1 at first."""

    def __init__(self, size: int, *, eps: float, **options: Any) -> None:
        super().__init__(**options)
        self.size, self.eps = size, eps

    def build(self, x_shape: tuple[int | None, ...]) -> None:
        self.gain = self.add_weight(shape=(self.size,), initializer="ones", name="gain")

    def call(self, x: Tensor) -> Tensor:
        return rms_norm(x, self.gain, eps=self.eps)
