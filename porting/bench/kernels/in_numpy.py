"""The kernels of NumPy."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from porting.bench.formula import BINARY, IN_PLACE, REDUCTION, UNARY
from porting.bench.kernels import POSITIVE, into
from porting.runners.base import Array

_MAPS: Final = ("sin", "cos", "exp", "expm1", "tanh", "arctanh", "log", "log1p")


def kernels(x: Array, size: Array, dy: Array) -> dict[str, Callable[[], Any]]:
    """Return each as a call: of `x`, of its magnitude `size`, or of `x` and `dy`."""
    to, mine, one = np.empty_like(x), x.copy(), np.ones_like(x)
    return {
        UNARY + IN_PLACE: lambda: np.multiply(mine, 1.0, out=mine),
        BINARY + IN_PLACE: lambda: np.multiply(mine, one, out=mine),
        UNARY: lambda: np.multiply(x, 1.5, out=to),
        BINARY: lambda: np.multiply(x, dy, out=to),
        REDUCTION: lambda: np.sum(x),
        "logaddexp": lambda: np.logaddexp(x, dy, out=to),
        **{name: into(getattr(np, name), size if name in POSITIVE else x, to) for name in _MAPS},
    }
