"""The floating types that every check runs in, bfloat16 included (which `np.finfo` refuses)."""

from functools import cache
from typing import Any, Final

import ml_dtypes
import numpy as np

FLOATS: Final = ("float16", "bfloat16", "float32", "float64")


def as_dtype(name: str) -> np.dtype[Any]:
    """Return the NumPy dtype of a name such as ``bfloat16``."""
    return np.dtype(getattr(ml_dtypes, name) if name == "bfloat16" else name)


@cache
def _finfo(name: str) -> Any:
    return ml_dtypes.finfo(as_dtype(name))  # type: ignore[no-untyped-call]  # ml_dtypes leaves this one untyped


def unit_roundoff(name: str) -> float:
    """Return u, half the distance from 1 to the next number: 2^-53 in float64."""
    return float(_finfo(name).eps) / 2


def smallest_normal(name: str) -> float:
    """Return the smallest positive normal number."""
    return float(_finfo(name).smallest_normal)


def smallest_subnormal(name: str) -> float:
    """Return the smallest positive number."""
    return float(_finfo(name).smallest_subnormal)


def largest(name: str) -> float:
    """Return the largest finite number."""
    return float(_finfo(name).max)


_FLOATS: Final = frozenset(as_dtype(name) for name in FLOATS)  # asking a dtype for its name takes longer than adding


def is_float(array: np.ndarray[Any, Any]) -> bool:
    """Tell whether an array holds real floating numbers, bfloat16 included."""
    return array.dtype in _FLOATS


def real_of(g: Any, x: Any) -> Any:
    """Return the real part of a complex gradient of a real input, any other one as it is."""
    return g.real if np.iscomplexobj(g) and not np.iscomplexobj(x) else g


def wide(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return floats as float64, complex numbers as complex128, integers as they are."""
    if np.iscomplexobj(array):
        return array.astype(np.complex128)
    return array.astype(np.float64) if is_float(array) else array


def numbers(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the same as `wide`, and truth values as 0 and 1: NumPy has no differences of truth values."""
    return array.astype(np.int8) if array.dtype == np.bool_ else wide(array)


def narrow(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return floats as float32, complex numbers as complex64, integers as they are."""
    if np.iscomplexobj(array):
        return array.astype(np.complex64)
    return array.astype(np.float32) if is_float(array) else array


def complex_of(name: str) -> str:
    """Return the complex type whose parts have a floating type: that of float32 also for narrower ones."""
    return "complex128" if name == "float64" else "complex64"


def is_inexact(array: np.ndarray[Any, Any]) -> bool:
    """Tell whether an array holds floating numbers, real or complex."""
    return is_float(array) or np.iscomplexobj(array)
