"""Spikes as layers: a step with a surrogate gradient."""

from typing import Any

import tensorflow as tf
from tensorflow import Tensor

from tf_impl.layers.statics import Statics, registered
from tf_impl.spiking.atan_spike import atan_spike
from tf_impl.spiking.fast_sigmoid_spike import fast_sigmoid_spike
from tf_impl.spiking.lif_step import lif_step
from tf_impl.spiking.sigmoid_spike import sigmoid_spike
from tf_impl.spiking.triangular_spike import triangular_spike


@registered
class AtanSpike(Statics):
    """1 above 0, else 0; the gradient is that of an arc tangent."""

    def __init__(self, *, alpha: float = 2.0, **options: Any) -> None:
        super().__init__(**options)
        self.alpha = alpha
        self.call(tf.zeros([0]))  # the op refuses what it cannot do

    def call(self, x: Tensor) -> Tensor:
        return atan_spike(x, alpha=self.alpha)


@registered
class FastSigmoidSpike(Statics):
    """1 above 0, else 0; the gradient is that of x / (1 + slope |x|)."""

    def __init__(self, *, slope: float = 25.0, **options: Any) -> None:
        super().__init__(**options)
        self.slope = slope
        self.call(tf.zeros([0]))  # the op refuses what it cannot do

    def call(self, x: Tensor) -> Tensor:
        return fast_sigmoid_spike(x, slope=self.slope)


@registered
class LifStep(Statics):
    """One step of a leaky integrate-and-fire neuron: its spike, and its next potential."""

    def __init__(self, *, decay: float, threshold: float, slope: float, **options: Any) -> None:
        super().__init__(**options)
        self.decay, self.threshold, self.slope = decay, threshold, slope
        self.call(tf.zeros([0]), tf.zeros([0]))  # the op refuses what it cannot do

    def call(self, x: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        return lif_step(x, v, decay=self.decay, threshold=self.threshold, slope=self.slope)


@registered
class SigmoidSpike(Statics):
    """1 above 0, else 0; the gradient is that of sigmoid(slope x)."""

    def __init__(self, *, slope: float = 25.0, **options: Any) -> None:
        super().__init__(**options)
        self.slope = slope
        self.call(tf.zeros([0]))  # the op refuses what it cannot do

    def call(self, x: Tensor) -> Tensor:
        return sigmoid_spike(x, slope=self.slope)


@registered
class TriangularSpike(Statics):
    """1 above 0, else 0; the gradient is a triangle."""

    def __init__(self, *, width: float = 1.0, dampening: float = 0.3, **options: Any) -> None:
        super().__init__(**options)
        self.width, self.dampening = width, dampening
        self.call(tf.zeros([0]))  # the op refuses what it cannot do

    def call(self, x: Tensor) -> Tensor:
        return triangular_spike(x, width=self.width, dampening=self.dampening)
