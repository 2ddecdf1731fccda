"""Special functions."""

from tf_impl.special.bessel_ive import bessel_ive as bessel_ive
from tf_impl.special.gamma_sample_gradient import gamma_sample_gradient as gamma_sample_gradient
