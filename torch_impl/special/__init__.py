"""Special functions."""

from torch_impl import keep_signatures
from torch_impl.special.bessel_ive import bessel_ive as bessel_ive
from torch_impl.special.gamma_sample_gradient import gamma_sample_gradient as gamma_sample_gradient

keep_signatures(__name__)
