"""Functions that are right at the ends of the range, as layers."""

from typing import Any

import tensorflow as tf
from tensorflow import Tensor

from tf_impl.layers.statics import Statics, Unmasked, registered
from tf_impl.stable.artanh import artanh
from tf_impl.stable.log1p_exp import log1p_exp
from tf_impl.stable.log_cosh import log_cosh
from tf_impl.stable.logaddexp import logaddexp
from tf_impl.stable.logsumexp import logsumexp
from tf_impl.stable.safe_divide import safe_divide
from tf_impl.stable.safe_log import safe_log
from tf_impl.stable.safe_norm import safe_norm
from tf_impl.stable.safe_sqrt import safe_sqrt


@registered
class Artanh(Statics):
    """The inverse of tanh."""

    def call(self, x: Tensor) -> Tensor:
        return artanh(x)


@registered
class Log1pExp(Statics):
    """log(1 + e^x), which is softplus."""

    def call(self, x: Tensor) -> Tensor:
        return log1p_exp(x)


@registered
class LogCosh(Statics):
    """log(cosh(x))."""

    def call(self, x: Tensor) -> Tensor:
        return log_cosh(x)


@registered
class Logaddexp(Statics):
    """log(e^x1 + e^x2)."""

    def call(self, x1: Tensor, x2: Tensor) -> Tensor:
        return logaddexp(x1, x2)


@registered
class Logsumexp(Unmasked):
    """log of the sum of e^x over an axis."""

    def __init__(self, *, axis: int, **options: Any) -> None:
        super().__init__(**options)
        self.axis = axis

    def call(self, x: Tensor) -> Tensor:
        return logsumexp(x, axis=self.axis)


@registered
class SafeDivide(Statics):
    """x1 / x2, and 0 where x2 is 0."""

    def call(self, x1: Tensor, x2: Tensor) -> Tensor:
        return safe_divide(x1, x2)


@registered
class SafeLog(Statics):
    """log(max(x, eps)); the gradient goes on from eps down."""

    def __init__(self, *, eps: float, **options: Any) -> None:
        super().__init__(**options)
        self.eps = eps
        self.call(tf.zeros([0]))  # the op refuses what it cannot do

    def call(self, x: Tensor) -> Tensor:
        return safe_log(x, eps=self.eps)


@registered
class SafeNorm(Unmasked):
    """The length over an axis; the gradient is 0 where it is 0."""

    def __init__(self, *, axis: int, **options: Any) -> None:
        super().__init__(**options)
        self.axis = axis

    def call(self, x: Tensor) -> Tensor:
        return safe_norm(x, axis=self.axis)


@registered
class SafeSqrt(Statics):
    """sqrt(max(x, 0)); the gradient is finite at 0."""

    def __init__(self, *, eps: float, **options: Any) -> None:
        super().__init__(**options)
        self.eps = eps
        self.call(tf.zeros([0]))  # the op refuses what it cannot do

    def call(self, x: Tensor) -> Tensor:
        return safe_sqrt(x, eps=self.eps)
