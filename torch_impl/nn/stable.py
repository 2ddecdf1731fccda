"""Functions that are right at the ends of the range, as layers."""

import torch
from torch import Tensor

from torch_impl.nn.statics import Statics
from torch_impl.stable.artanh import artanh
from torch_impl.stable.log1p_exp import log1p_exp
from torch_impl.stable.log_cosh import log_cosh
from torch_impl.stable.logaddexp import logaddexp
from torch_impl.stable.logsumexp import logsumexp
from torch_impl.stable.safe_divide import safe_divide
from torch_impl.stable.safe_log import safe_log
from torch_impl.stable.safe_norm import safe_norm
from torch_impl.stable.safe_sqrt import safe_sqrt


class Artanh(Statics):
    """The inverse of tanh."""

    def forward(self, x: Tensor) -> Tensor:
        return artanh(x)


class Log1pExp(Statics):
    """log(1 + e^x), which is softplus."""

    def forward(self, x: Tensor) -> Tensor:
        return log1p_exp(x)


class LogCosh(Statics):
    """log(cosh(x))."""

    def forward(self, x: Tensor) -> Tensor:
        return log_cosh(x)


class Logaddexp(Statics):
    """log(e^x1 + e^x2)."""

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        return logaddexp(x1, x2)


class Logsumexp(Statics):
    """log of the sum of e^x over an axis."""

    def __init__(self, *, axis: int) -> None:
        super().__init__()
        self.axis = axis

    def forward(self, x: Tensor) -> Tensor:
        return logsumexp(x, axis=self.axis)


class SafeDivide(Statics):
    """x1 / x2, and 0 where x2 is 0."""

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        return safe_divide(x1, x2)


class SafeLog(Statics):
    """log(max(x, eps)); the gradient goes on from eps down."""

    def __init__(self, *, eps: float) -> None:
        super().__init__()
        self.eps = eps
        self.forward(torch.empty(0))  # the op refuses what it cannot do

    def forward(self, x: Tensor) -> Tensor:
        return safe_log(x, eps=self.eps)


class SafeNorm(Statics):
    """The length over an axis; the gradient is 0 where it is 0."""

    def __init__(self, *, axis: int) -> None:
        super().__init__()
        self.axis = axis

    def forward(self, x: Tensor) -> Tensor:
        return safe_norm(x, axis=self.axis)


class SafeSqrt(Statics):
    """sqrt(max(x, 0)); the gradient is finite at 0."""

    def __init__(self, *, eps: float) -> None:
        super().__init__()
        self.eps = eps
        self.forward(torch.empty(0))  # the op refuses what it cannot do

    def forward(self, x: Tensor) -> Tensor:
        return safe_sqrt(x, eps=self.eps)
