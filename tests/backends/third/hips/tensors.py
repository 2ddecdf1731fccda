"""What is done with autograd's arrays around a call of a side; see `porting.backends.backend.Tensors`."""

import autograd.numpy as np
import numpy
from autograd.tracer import getval


def detached(y):
    """Return an array that no gradient comes through."""
    return getval(y)


def parted(y):
    """Return the real and the imaginary part, in a further axis of two, last."""
    return np.stack([np.real(y), np.imag(y)], -1)


def symmetrised(x):
    """Return the symmetric part of a stack of matrices."""
    return (x + np.swapaxes(x, -1, -2)) / 2


def seed(number):
    """Seed NumPy's random numbers, which are autograd's."""
    numpy.random.seed(number)  # noqa: NPY002 - the legacy generator is what autograd has


def switched():
    """Return nothing: autograd has no settings."""
    return ""
