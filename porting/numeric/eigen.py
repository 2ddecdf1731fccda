"""Eigenvalues and eigenvectors of a matrix: any order of them is right, and any phase of a complex vector."""

from collections.abc import Iterable
from typing import Any, Final

import numpy as np

from porting.dtypes import is_float, wide

Array = np.ndarray[Any, Any]
_PARTS: Final = 2  # real and imaginary, in the last axis
_EXACT: Final = 1e-3  # float32 gives nobody eigenvectors that are less exact than that
_ROOM: Final = 4.0  # times the tolerance of an element, each row of a product


def are_free(got: Array, want: Array, tolerance: Array, inputs: Iterable[Array]) -> bool:
    """Whether two arrays are both the complex eigenvalues, or both the eigenvectors, of one of the inputs.

    Parameters
    ----------
    got, want, tolerance : numpy.ndarray
        Of one shape, with the real and the imaginary part in the last axis.
    inputs : iterable of numpy.ndarray
        Those that are square matrices are tried; vectors stand in columns and have length 1.
    """
    if want.ndim < _PARTS or want.shape[-1] != _PARTS or not (np.isfinite(got).all() and np.isfinite(want).all()):
        return False
    both = [wide(x)[..., 0] + 1j * wide(x)[..., 1] for x in (got, want)]
    off = float(np.max(tolerance, initial=0.0))
    square = [x for x in inputs if is_float(x) and x.ndim > 1 and x.shape[-1] == x.shape[-2] > 1 and x.size]
    return any(_are_of(both, wide(m), off) for m in square if np.isfinite(m).all())


def _are_of(both: list[Array], m: Array, off: float) -> bool:
    if both[0].shape == m.shape[:-1]:
        true = np.linalg.eigvals(m)
        return all(_same_numbers(y, true, _ROOM * off) for y in both)
    if both[0].shape != m.shape:
        return False
    a, b = both
    overlap = np.abs(np.swapaxes(a.conj(), -1, -2) @ b)
    met = all((overlap.max(axis=axis) >= 1 - _EXACT).all() for axis in (-1, -2))
    return met and all(_are_vectors(v, m, off) for v in both)


def _are_vectors(v: Array, m: Array, off: float) -> bool:
    product = m @ v
    values = (v.conj() * product).sum(axis=-2, keepdims=True)
    allowed = _ROOM * off * np.linalg.norm(m, axis=(-2, -1), keepdims=True)
    unit = np.abs(np.linalg.norm(v, axis=-2) - 1) <= _ROOM * off
    return bool(unit.all() and (np.abs(product - v * values) <= allowed).all())


def _same_numbers(a: Array, b: Array, off: float) -> bool:
    apart = np.abs(a[..., :, None] - b[..., None, :])
    return all(bool((apart.min(axis=axis) <= off).all()) for axis in (-1, -2))
