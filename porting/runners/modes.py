"""The modes of a framework: ways to run an op in which its own gradient may be lost, one file for each in a folder."""

from __future__ import annotations

import keyword
import pkgutil
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from porting.runners.base import Array

_FACTORS: Final = (-16.0, -1 / 16)  # exact in every type
_NEAR: Final = 1e-3  # of the largest element: what is clipped or gated is off by much more


class NotPossibleError(Exception):
    """A mode cannot be had on this platform, with this version or for this op; the message says why."""


def names_in(folder: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the modes whose files are in a package's folder, without importing them."""
    return tuple(sorted(found.name.strip("_").replace("_", "-") for found in pkgutil.iter_modules(list(folder))))


def answer_of(package: str, name: str) -> Callable[[Any], Any]:
    """Return the function ``answer`` of a mode's file; a name that Python keeps for itself ends with ``_`` there."""
    module = name.replace("-", "_")
    if keyword.iskeyword(module):
        module += "_"
    found: Callable[[Any], Any] = import_module(f"{package}.{module}").answer
    return found


def ensure_linear(gradient: Callable[[float], Sequence[Array | None]]) -> None:
    """Refuse a gradient that is not linear in its cotangent, where a mode makes it of a Jacobian.

    Parameters
    ----------
    gradient : callable
        Returns the gradients in eager mode for the cotangents times a factor.

    Raises
    ------
    NotPossibleError
        If it does not grow with the cotangent, or does not turn its sign with it: it is clipped, or gated.
    """
    first = gradient(1.0)
    for factor in _FACTORS:
        for want, got in zip(first, gradient(factor), strict=True):
            if want is None or got is None:
                continue
            with np.errstate(all="ignore"):
                near = np.allclose(got / factor, want, rtol=0, atol=_NEAR * np.abs(want).max(initial=0), equal_nan=True)
            if not near:
                raise NotPossibleError("the gradient is not linear in the cotangent, so there is no Jacobian of it")
