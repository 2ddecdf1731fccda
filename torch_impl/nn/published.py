"""Those of the published examples that are activations."""

from torch import Tensor

from torch_impl.nn.statics import Statics
from torch_impl.published.custom_relu import custom_relu
from torch_impl.published.legendre_polynomial3 import legendre_polynomial3
from torch_impl.published.memory_efficient_sigmoid import memory_efficient_sigmoid
from torch_impl.published.my_activation import my_activation
from torch_impl.published.smooth_round import smooth_round


class CustomRelu(Statics):
    """max(x, 0), with the printed gradient."""

    def forward(self, x: Tensor) -> Tensor:
        return custom_relu(x)


class LegendrePolynomial3(Statics):
    """(5 x^3 - 3 x) / 2."""

    def forward(self, x: Tensor) -> Tensor:
        return legendre_polynomial3(x)


class MemoryEfficientSigmoid(Statics):
    """The logistic function, keeping its input alone."""

    def forward(self, x: Tensor) -> Tensor:
        return memory_efficient_sigmoid(x)


class MyActivation(Statics):
    """sigmoid(x) / sqrt(1 + e^x), with the printed gradient."""

    def forward(self, x: Tensor) -> Tensor:
        return my_activation(x)


class SmoothRound(Statics):
    """(1 + tanh(alpha (x - 1/2))) / 2, with the printed gradient."""

    def __init__(self, *, alpha: float = 10.0) -> None:
        super().__init__()
        self.alpha = alpha

    def forward(self, x: Tensor) -> Tensor:
        return smooth_round(x, alpha=self.alpha)
