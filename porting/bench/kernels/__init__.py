"""Single kernels, each as a call: in every array library that the process has, on the same numbers."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from importlib import import_module
from statistics import median
from typing import Any, Final

import numpy as np

from porting.runners.base import Array

POSITIVE: Final = frozenset({"log", "log1p"})  # the kernels that get the magnitudes of the numbers
_LEAST: Final = 2.0**-7  # of a magnitude: no pole
# Importing TensorFlow takes seconds: its kernels are timed where it is measured itself.
_LIBRARIES: Final = {"torch": ("numpy", "torch"), "tf": ("numpy", "torch", "tf")}


def steps(backend: str, names: Iterable[str], x: Array, dy: Array) -> dict[tuple[str, str], Callable[[], Any]]:
    """Return a call for each kernel in each library that has it, by kernel and library.

    Parameters
    ----------
    backend : {"torch", "tf"}
        Whose process this is.
    names : iterable of str
        The kernels.
    x, dy : numpy.ndarray
        The numbers, of one shape.
    """
    names = list(names)
    found: dict[tuple[str, str], Callable[[], Any]] = {}
    for library in _LIBRARIES[backend]:
        with suppress(ImportError):
            made = kernels(library, x, dy)
            found |= {(name, library): made[name] for name in names if name in made}
    return found


def kernels(library: str, x: Array, dy: Array) -> dict[str, Callable[[], Any]]:
    """Return all kernels of a library, which is imported here."""
    made: dict[str, Callable[[], Any]]
    made = import_module(f"{__name__}.in_{library}").kernels(x, np.abs(x) + x.dtype.type(_LEAST), dy)
    return made


def fastest(times: Mapping[tuple[str, str], list[float]]) -> dict[str, list[float]]:
    """Return the seconds of each kernel per round, in the library whose median is least."""
    names = dict.fromkeys(name for name, _ in times)
    return {name: min((t for (n, _), t in times.items() if n == name), key=median) for name in names}


def into(function: Callable[..., Any], x: Any, to: Any) -> Callable[[], Any]:
    """Return a call that writes into memory that is there."""
    return lambda: function(x, out=to)
