"""Activations with a hand-written gradient."""

from torch_impl import keep_signatures
from torch_impl.activation.gelu_tanh import gelu_tanh as gelu_tanh
from torch_impl.activation.mish import mish as mish
from torch_impl.activation.relu_negative_slope_gradient import (
    relu_negative_slope_gradient as relu_negative_slope_gradient,
)
from torch_impl.activation.sigmoid_rsqrt import sigmoid_rsqrt as sigmoid_rsqrt
from torch_impl.activation.sin_squared import sin_squared as sin_squared
from torch_impl.activation.softsign import softsign as softsign
from torch_impl.activation.swiglu import swiglu as swiglu
from torch_impl.activation.swish import swish as swish
from torch_impl.activation.trunc_exp import trunc_exp as trunc_exp

keep_signatures(__name__)
