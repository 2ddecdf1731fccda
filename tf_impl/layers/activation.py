"""Activations as layers."""

from typing import Any

from tensorflow import Tensor

from tf_impl.activation.gelu_tanh import gelu_tanh
from tf_impl.activation.mish import mish
from tf_impl.activation.relu_negative_slope_gradient import relu_negative_slope_gradient
from tf_impl.activation.sigmoid_rsqrt import sigmoid_rsqrt
from tf_impl.activation.sin_squared import sin_squared
from tf_impl.activation.softsign import softsign
from tf_impl.activation.swiglu import swiglu
from tf_impl.activation.swish import swish
from tf_impl.activation.trunc_exp import trunc_exp
from tf_impl.layers.statics import Statics, registered


@registered
class GeluTanh(Statics):
    """GELU by its tanh formula."""

    def call(self, x: Tensor) -> Tensor:
        return gelu_tanh(x)


@registered
class Mish(Statics):
    """x tanh(softplus(x))."""

    def call(self, x: Tensor) -> Tensor:
        return mish(x)


@registered
class ReluNegativeSlopeGradient(Statics):
    """ReLU whose gradient is the slope below 0."""

    def __init__(self, *, slope: float = -0.5, **options: Any) -> None:
        super().__init__(**options)
        self.slope = slope

    def call(self, x: Tensor) -> Tensor:
        return relu_negative_slope_gradient(x, slope=self.slope)


@registered
class SigmoidRsqrt(Statics):
    """sigmoid(x) / sqrt(1 + e^x)."""

    def call(self, x: Tensor) -> Tensor:
        return sigmoid_rsqrt(x)


@registered
class SinSquared(Statics):
    """sin(x)^2."""

    def call(self, x: Tensor) -> Tensor:
        return sin_squared(x)


@registered
class Swiglu(Statics):
    """x1 sigmoid(x1) x2, both of one shape."""

    def call(self, x1: Tensor, x2: Tensor) -> Tensor:
        return swiglu(x1, x2)


@registered
class Swish(Statics):
    """x sigmoid(beta x)."""

    def __init__(self, *, beta: float = 1.0, **options: Any) -> None:
        super().__init__(**options)
        self.beta = beta

    def call(self, x: Tensor) -> Tensor:
        return swish(x, beta=self.beta)


@registered
class TruncExp(Statics):
    """e^x, whose gradient grows no further than to e^limit."""

    def __init__(self, *, limit: float = 15.0, **options: Any) -> None:
        super().__init__(**options)
        self.limit = limit

    def call(self, x: Tensor) -> Tensor:
        return trunc_exp(x, limit=self.limit)


@registered
class Softsign(Statics):
    """x / (1 + |x|)."""

    def call(self, x: Tensor) -> Tensor:
        return softsign(x)
