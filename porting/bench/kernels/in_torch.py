"""The kernels of PyTorch."""

from collections.abc import Callable
from typing import Any, Final

import torch
from torch.nn import functional

from porting.backends.torch.arrays import to_torch
from porting.bench.formula import BINARY, IN_PLACE, REDUCTION, UNARY
from porting.bench.kernels import POSITIVE, into
from porting.runners.base import Array

_MAPS: Final = {
    **{name: name for name in ("sin", "cos", "exp", "expm1", "tanh", "log", "log1p", "sigmoid")},
    "arctanh": "atanh",
}


def kernels(x: Array, size: Array, dy: Array) -> dict[str, Callable[[], Any]]:
    """Return each as a call: of `x`, of its magnitude `size`, or of `x` and `dy`."""
    t, magnitude, v = (to_torch(a, "cpu") for a in (x, size, dy))
    to, mine, one, aten = torch.empty_like(t), t.clone(), torch.ones_like(t), torch.ops.aten
    return {
        UNARY + IN_PLACE: lambda: mine.mul_(1.0),
        BINARY + IN_PLACE: lambda: mine.mul_(one),
        UNARY: lambda: torch.mul(t, 1.5, out=to),
        BINARY: lambda: torch.mul(t, v, out=to),
        REDUCTION: lambda: torch.sum(t),
        "logaddexp": lambda: torch.logaddexp(t, v, out=to),
        **{k: into(getattr(torch, name), magnitude if k in POSITIVE else t, to) for k, name in _MAPS.items()},
        "softplus": lambda: functional.softplus(t),
        "softplus_backward": lambda: aten.softplus_backward(v, t, 1, 20),
        "silu": lambda: functional.silu(t),
        "silu_backward": lambda: aten.silu_backward(v, t),
        "gelu": lambda: functional.gelu(t, approximate="tanh"),
        "gelu_backward": lambda: aten.gelu_backward(v, t, approximate="tanh"),
        "mish": lambda: functional.mish(t),
        "mish_backward": lambda: aten.mish_backward(v, t),
    }
