"""Compositions and built-ins of the family activation for the benchmark, in PyTorch."""

from collections.abc import Callable
from math import exp, pi, sqrt
from typing import Any

import torch
from torch.nn import functional


def _relu_negative_slope_gradient(x: Any, *, slope: float = -0.5) -> Any:
    g = functional.leaky_relu(x, slope)
    return g + (functional.relu(x) - g).detach()


def _gelu_tanh(x: Any) -> Any:
    return 0.5 * x * (1 + torch.tanh(sqrt(2 / pi) * (x + 0.044715 * x**3)))


def _trunc_exp(x: Any, *, limit: float = 15.0) -> Any:
    g = torch.exp(x.clamp(max=limit)) + exp(limit) * (x - limit).clamp(min=0)
    return g + (torch.exp(x) - g).detach()


COMPOSITION: dict[str, Callable[..., Any]] = {
    "gelu_tanh": _gelu_tanh,
    "mish": lambda x: x * torch.tanh(functional.softplus(x)),
    "relu_negative_slope_gradient": _relu_negative_slope_gradient,
    "sigmoid_rsqrt": lambda x: torch.sigmoid(x) * torch.exp(0.5 * functional.logsigmoid(-x)),
    "sin_squared": lambda x: torch.sin(x) ** 2,
    "softsign": lambda x: x / (1 + x.abs()),
    "swiglu": lambda x1, x2: x1 * torch.sigmoid(x1) * x2,
    "swish": lambda x, *, beta=1.0: x * torch.sigmoid(beta * x),
    "trunc_exp": _trunc_exp,
}
BUILT_IN: dict[str, Callable[..., Any]] = {
    "gelu_tanh": lambda x: functional.gelu(x, approximate="tanh"),
    "mish": functional.mish,
    "softsign": functional.softsign,
    "swiglu": lambda x1, x2: functional.silu(x1) * x2,
    "swish": functional.silu,
}
