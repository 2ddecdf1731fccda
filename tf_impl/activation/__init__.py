"""Activations with a hand-written gradient."""

from tf_impl.activation.gelu_tanh import gelu_tanh as gelu_tanh
from tf_impl.activation.mish import mish as mish
from tf_impl.activation.relu_negative_slope_gradient import (
    relu_negative_slope_gradient as relu_negative_slope_gradient,
)
from tf_impl.activation.sigmoid_rsqrt import sigmoid_rsqrt as sigmoid_rsqrt
from tf_impl.activation.sin_squared import sin_squared as sin_squared
from tf_impl.activation.softsign import softsign as softsign
from tf_impl.activation.swiglu import swiglu as swiglu
from tf_impl.activation.swish import swish as swish
from tf_impl.activation.trunc_exp import trunc_exp as trunc_exp
