"""Special functions."""

from torch_impl.special.bessel_ive import bessel_ive as bessel_ive
