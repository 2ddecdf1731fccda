"""Activations with a hand-written gradient."""

from torch_impl.activation.relu_negative_slope_gradient import (
    relu_negative_slope_gradient as relu_negative_slope_gradient,
)
from torch_impl.activation.sigmoid_rsqrt import sigmoid_rsqrt as sigmoid_rsqrt
from torch_impl.activation.sin_squared import sin_squared as sin_squared
