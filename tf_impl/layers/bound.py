"""Bounds whose gradient helps what lies beyond them to come back, as layers with one number for a bound."""

from typing import Any

import tensorflow as tf
from tensorflow import Tensor

from tf_impl.bound.lower_bound import lower_bound
from tf_impl.bound.upper_bound import upper_bound
from tf_impl.layers.statics import Statics, registered


@registered
class LowerBound(Statics):
    """max(x, bound); what lies below the bound gets a gradient where that moves it back."""

    def __init__(self, bound: float, *, gradient: str = "identity_if_towards", **options: Any) -> None:
        super().__init__(**options)
        self.bound, self.gradient = bound, gradient
        self.call(tf.zeros([0]))  # the op refuses what it cannot do

    def call(self, x: Tensor) -> Tensor:
        return lower_bound(x, tf.zeros_like(x) + self.bound, gradient=self.gradient)


@registered
class UpperBound(Statics):
    """min(x, bound); what lies above the bound gets a gradient where that moves it back."""

    def __init__(self, bound: float, *, gradient: str = "identity_if_towards", **options: Any) -> None:
        super().__init__(**options)
        self.bound, self.gradient = bound, gradient
        self.call(tf.zeros([0]))  # the op refuses what it cannot do

    def call(self, x: Tensor) -> Tensor:
        return upper_bound(x, tf.zeros_like(x) + self.bound, gradient=self.gradient)
