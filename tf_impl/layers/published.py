"""Those of the published examples that are activations."""

from typing import Any

from tensorflow import Tensor

from tf_impl.layers.statics import Statics, registered
from tf_impl.published.custom_relu import custom_relu
from tf_impl.published.legendre_polynomial3 import legendre_polynomial3
from tf_impl.published.memory_efficient_sigmoid import memory_efficient_sigmoid
from tf_impl.published.my_activation import my_activation
from tf_impl.published.smooth_round import smooth_round


@registered
class CustomRelu(Statics):
    """max(x, 0), with the printed gradient."""

    def call(self, x: Tensor) -> Tensor:
        return custom_relu(x)


@registered
class LegendrePolynomial3(Statics):
    """(5 x^3 - 3 x) / 2."""

    def call(self, x: Tensor) -> Tensor:
        return legendre_polynomial3(x)


@registered
class MemoryEfficientSigmoid(Statics):
    """The logistic function, keeping its input alone."""

    def call(self, x: Tensor) -> Tensor:
        return memory_efficient_sigmoid(x)


@registered
class MyActivation(Statics):
    """sigmoid(x) / sqrt(1 + e^x), with the printed gradient."""

    def call(self, x: Tensor) -> Tensor:
        return my_activation(x)


@registered
class SmoothRound(Statics):
    """(1 + tanh(alpha (x - 1/2))) / 2, with the printed gradient."""

    def __init__(self, *, alpha: float = 10.0, **options: Any) -> None:
        super().__init__(**options)
        self.alpha = alpha

    def call(self, x: Tensor) -> Tensor:
        return smooth_round(x, alpha=self.alpha)
