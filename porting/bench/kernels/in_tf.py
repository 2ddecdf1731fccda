"""The kernels of TensorFlow."""

from collections.abc import Callable
from typing import Any, Final

import tensorflow as tf

from porting.bench.formula import BINARY, REDUCTION, UNARY
from porting.bench.kernels import POSITIVE
from porting.runners.base import Array

_MAPS: Final = {
    **{name: name for name in ("sin", "cos", "exp", "expm1", "tanh", "log", "log1p", "sigmoid", "softplus")},
    "arctanh": "atanh",
}


def kernels(x: Array, size: Array, dy: Array) -> dict[str, Callable[[], Any]]:
    """Return each as a call: of `x`, of its magnitude `size`, or of `x` and `dy`."""
    t, magnitude, v = (tf.constant(a) for a in (x, size, dy))

    def of(function: Callable[..., Any], x: Any) -> Callable[[], Any]:
        return lambda: function(x)

    return {
        UNARY: lambda: t * 1.5,
        BINARY: lambda: t * v,
        REDUCTION: lambda: tf.reduce_sum(t),
        "softplus_backward": lambda: tf.raw_ops.SoftplusGrad(gradients=v, features=t),
        **{k: of(getattr(tf.math, name), magnitude if k in POSITIVE else t) for k, name in _MAPS.items()},
    }
