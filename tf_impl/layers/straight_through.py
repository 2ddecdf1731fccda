"""Quantisers, signs and masks whose gradient passes straight through."""

from typing import Any

import keras
import tensorflow as tf
from tensorflow import Tensor

from tf_impl.layers.statics import Statics, registered
from tf_impl.straight_through.dorefa_quantize import dorefa_quantize
from tf_impl.straight_through.fake_quantize import fake_quantize
from tf_impl.straight_through.gumbel_softmax import gumbel_softmax
from tf_impl.straight_through.lsq_quantize import lsq_quantize
from tf_impl.straight_through.ste_ceil import ste_ceil
from tf_impl.straight_through.ste_clamp import ste_clamp
from tf_impl.straight_through.ste_floor import ste_floor
from tf_impl.straight_through.ste_heaviside import ste_heaviside
from tf_impl.straight_through.ste_round import ste_round
from tf_impl.straight_through.ste_sign import ste_sign
from tf_impl.straight_through.ste_ternary import ste_ternary
from tf_impl.straight_through.top_k_mask import top_k_mask
from tf_impl.straight_through.vector_quantize import vector_quantize


@registered
class DorefaQuantize(Statics):
    """The nearest of 2^bits levels between 0 and 1; the gradient is that of the clip."""

    def __init__(self, *, bits: int, **options: Any) -> None:
        super().__init__(**options)
        self.bits = bits
        self.call(tf.zeros([0]))  # the op refuses what it cannot do

    def call(self, x: Tensor) -> Tensor:
        return dorefa_quantize(x, bits=self.bits)


@registered
class FakeQuantize(Statics):
    """Integers of some bits and back, with one scale and one zero point; the gradient is 0 where x is clipped."""

    def __init__(self, scale: float, zero_point: int, *, bits: int, signed: bool, **options: Any) -> None:
        super().__init__(**options)
        self.scale, self.zero_point, self.bits, self.signed = scale, zero_point, bits, signed
        self.call(tf.zeros([0]))  # the op refuses what it cannot do

    def call(self, x: Tensor) -> Tensor:
        scale = tf.constant(self.scale, tf.float64 if x.dtype == tf.float64 else tf.float32)
        return fake_quantize(x, scale, tf.constant(self.zero_point), bits=self.bits, signed=self.signed)


@registered
class GumbelSoftmax(Statics):
    """One-hot at the largest of logits + noise; the gradient is that of the softmax."""

    def __init__(self, *, temperature: float, axis: int = -1, **options: Any) -> None:
        super().__init__(**options)
        self.temperature, self.axis = temperature, axis

    def call(self, logits: Tensor, noise: Tensor) -> Tensor:
        return gumbel_softmax(logits, noise, temperature=self.temperature, axis=self.axis)


@registered
class LsqQuantize(Statics):
    """Quantisation whose step is learned."""

    def __init__(self, initial_step: float = 1.0, *, bits: int, signed: bool, **options: Any) -> None:
        super().__init__(**options)
        self.initial_step, self.bits, self.signed = initial_step, bits, signed

    def build(self, x_shape: tuple[int | None, ...]) -> None:
        initial = keras.initializers.Constant(self.initial_step)
        self.step = self.add_weight(shape=(), initializer=initial, name="step")

    def call(self, x: Tensor) -> Tensor:
        return lsq_quantize(x, self.step, bits=self.bits, signed=self.signed)


@registered
class SteCeil(Statics):
    """Ceiling; the gradient is dy."""

    def call(self, x: Tensor) -> Tensor:
        return ste_ceil(x)


@registered
class SteClamp(Statics):
    """x clipped to [low, high]; the gradient is dy everywhere."""

    def __init__(self, *, low: float, high: float, **options: Any) -> None:
        super().__init__(**options)
        self.low, self.high = low, high
        self.call(tf.zeros([0]))  # the op refuses what it cannot do

    def call(self, x: Tensor) -> Tensor:
        return ste_clamp(x, low=self.low, high=self.high)


@registered
class SteFloor(Statics):
    """Floor; the gradient is dy."""

    def call(self, x: Tensor) -> Tensor:
        return ste_floor(x)


@registered
class SteHeaviside(Statics):
    """1 above 0, else 0; the gradient is dy up to the clip."""

    def __init__(self, *, clip: float = 1.0, **options: Any) -> None:
        super().__init__(**options)
        self.clip = clip
        self.call(tf.zeros([0]))  # the op refuses what it cannot do

    def call(self, x: Tensor) -> Tensor:
        return ste_heaviside(x, clip=self.clip)


@registered
class SteRound(Statics):
    """The nearest integer; the gradient is dy."""

    def call(self, x: Tensor) -> Tensor:
        return ste_round(x)


@registered
class SteSign(Statics):
    """1 from 0 up, -1 below; the gradient is dy up to the clip."""

    def __init__(self, *, clip: float = 1.0, **options: Any) -> None:
        super().__init__(**options)
        self.clip = clip
        self.call(tf.zeros([0]))  # the op refuses what it cannot do

    def call(self, x: Tensor) -> Tensor:
        return ste_sign(x, clip=self.clip)


@registered
class SteTernary(Statics):
    """The sign of x, 0 up to the threshold; the gradient is dy up to 1."""

    def __init__(self, *, threshold: float, **options: Any) -> None:
        super().__init__(**options)
        self.threshold = threshold
        self.call(tf.zeros([0]))  # the op refuses what it cannot do

    def call(self, x: Tensor) -> Tensor:
        return ste_ternary(x, threshold=self.threshold)


@registered
class TopKMask(Statics):
    """x among the k largest in magnitude along an axis, else 0; the gradient is dy."""

    def __init__(self, *, k: int, axis: int = -1, **options: Any) -> None:
        super().__init__(**options)
        self.k, self.axis = k, axis

    def call(self, x: Tensor) -> Tensor:
        return top_k_mask(x, k=self.k, axis=self.axis)


@registered
class VectorQuantize(Statics):
    """The nearest row of a codebook, normal numbers at first, which a loss of its own has to train."""

    def __init__(self, codes: int, size: int, **options: Any) -> None:
        super().__init__(**options)
        self.codes, self.size = codes, size

    def build(self, x_shape: tuple[int | None, ...]) -> None:
        initial = keras.initializers.RandomNormal(stddev=1.0)
        self.codebook = self.add_weight(shape=(self.codes, self.size), initializer=initial, name="codebook")

    def call(self, x: Tensor) -> Tensor:
        return vector_quantize(x, self.codebook)
