"""Activations as layers."""

from torch import Tensor

from torch_impl.activation.gelu_tanh import gelu_tanh
from torch_impl.activation.mish import mish
from torch_impl.activation.relu_negative_slope_gradient import relu_negative_slope_gradient
from torch_impl.activation.sigmoid_rsqrt import sigmoid_rsqrt
from torch_impl.activation.sin_squared import sin_squared
from torch_impl.activation.softsign import softsign
from torch_impl.activation.swiglu import swiglu
from torch_impl.activation.swish import swish
from torch_impl.activation.trunc_exp import trunc_exp
from torch_impl.nn.statics import Statics


class GeluTanh(Statics):
    """GELU by its tanh formula."""

    def forward(self, x: Tensor) -> Tensor:
        return gelu_tanh(x)


class Mish(Statics):
    """x tanh(softplus(x))."""

    def forward(self, x: Tensor) -> Tensor:
        return mish(x)


class ReluNegativeSlopeGradient(Statics):
    """ReLU whose gradient is the slope below 0."""

    def __init__(self, *, slope: float = -0.5) -> None:
        super().__init__()
        self.slope = slope

    def forward(self, x: Tensor) -> Tensor:
        return relu_negative_slope_gradient(x, slope=self.slope)


class SigmoidRsqrt(Statics):
    """sigmoid(x) / sqrt(1 + e^x)."""

    def forward(self, x: Tensor) -> Tensor:
        return sigmoid_rsqrt(x)


class SinSquared(Statics):
    """sin(x)^2."""

    def forward(self, x: Tensor) -> Tensor:
        return sin_squared(x)


class Swiglu(Statics):
    """x1 sigmoid(x1) x2, both of one shape."""

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        return swiglu(x1, x2)


class Swish(Statics):
    """x sigmoid(beta x)."""

    def __init__(self, *, beta: float = 1.0) -> None:
        super().__init__()
        self.beta = beta

    def forward(self, x: Tensor) -> Tensor:
        return swish(x, beta=self.beta)


class TruncExp(Statics):
    """e^x, whose gradient grows no further than to e^limit."""

    def __init__(self, *, limit: float = 15.0) -> None:
        super().__init__()
        self.limit = limit

    def forward(self, x: Tensor) -> Tensor:
        return trunc_exp(x, limit=self.limit)


class Softsign(Statics):
    """x / (1 + |x|)."""

    def forward(self, x: Tensor) -> Tensor:
        return softsign(x)
