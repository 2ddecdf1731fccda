"""Kinds of inputs: they turn drawn numbers into a mask, a distribution, a rotation and the like."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from math import ceil, inf, isfinite
from typing import Any, Final

import numpy as np

from porting.errors import PortingError
from porting.loading import load
from porting.named import ensure_named

Array = np.ndarray[Any, Any]

_FLATTEST: Final = 3.0  # the logits of a simplex are within this: no probability rounds to 0 in float16
_STEEPNESS: Final = 1.7  # of the logistic function that comes closest to the normal distribution
_LENGTH: Final = 4  # of the axes of a matrix by which a function is tried


class KindError(PortingError, ValueError):
    """There is no kind of this name, or a kind cannot have this shape; the message says what exists."""


@dataclass(frozen=True)
class Kind:
    """A kind of input. It is called with normally distributed numbers, in float64, and returns an array of their shape.

    Attributes
    ----------
    text : str
        As it is written: ``simplex``, ``0,1``, ``sparse 0.1``, ``@cases.py:make``. It tells kinds apart.
    make : callable
        Makes it.
    axes : int
        How many axes it takes: 1 for what sums or is sorted along the last one, 2 for a matrix.
    square : bool
        Whether the last two axes have one length.
    data : bool
        Whether it is data, such as a mask or one-hot labels: nothing is differentiated by it.
    symmetric : bool
        Whether it is known to be a symmetric matrix; see `is_symmetric`.
    """

    text: str
    make: Callable[[Array], Array] = field(compare=False)
    axes: int = 0
    square: bool = False
    data: bool = False
    symmetric: bool = False

    def __call__(self, x: Array) -> Array:
        """Return an array of the kind.

        Raises
        ------
        KindError
            If it has another shape than the numbers that it is made of.
        """
        made = np.asarray(self.make(x))
        if made.shape != x.shape:
            raise KindError(
                f"{self.text}: made of numbers of shape {list(x.shape)}, the input has shape {list(made.shape)}; "
                "the same is wanted: the function changes numbers and leaves their shape"
            )
        return made

    @property
    def is_symmetric(self) -> bool:
        """Whether it is a symmetric matrix, so that only the symmetric part of a gradient means anything.

        What a function of one's own makes of a matrix is looked at; a diagonal one may be meant as any matrix.
        """
        return self.symmetric or (isinstance(self.make, _Own) and self.make.is_symmetric)

    def ensure_shape(self, shape: tuple[Any, ...]) -> None:
        """Refuse a shape as it is declared, of lengths, names of lengths and ``...``.

        Raises
        ------
        KindError
            If the kind cannot have it.
        """
        last = shape[-self.axes :] if self.axes else ()
        wanted = "[...,k,k]" if self.square else "[...,n,k]" if self.axes > 1 else "[...,k]"
        if len(last) < self.axes or ... in last or (self.square and last[0] != last[1]):
            given = ",".join("..." if n is ... else str(n) for n in shape)
            raise KindError(f"{self.text} cannot have the shape [{given}]; as in {self.text}{wanted}")


def kind_of(text: str) -> Kind | tuple[float, float]:
    """Return the kind of this name, or the interval that the name stands for.

    Parameters
    ----------
    text : str
        ``simplex``, ``onehot``, ``unit``, ``sorted``, ``spd``, ``orthogonal``, ``sparse 0.1``; ``positive`` and
        ``probability``; some numbers, ``0,1``; a function of one's own that is given normal numbers, ``@FILE:NAME``.

    Raises
    ------
    KindError
        If there is none.
    porting.loading.LoadError
        If a look at the file says that there is no such function.
    """
    text = text.strip()
    if text in INTERVALS:
        return INTERVALS[text]
    if text in KINDS:
        return KINDS[text]
    if text.startswith("@"):
        ensure_named(text[1:], "kind")
        return Kind(text, _Own(text[1:]))
    word, _, rest = text.partition(" ")
    numbers = _numbers(rest if word == "sparse" else text)
    if word == "sparse" and len(numbers) == 1 and 0 < numbers[0] <= 1:
        return Kind(f"sparse {rest.strip()}", partial(_sparse, share=numbers[0]))
    if len(numbers) > 1:
        return Kind(",".join(part.strip() for part in text.split(",")), partial(_among, numbers=numbers), data=True)
    raise KindError(f"no kind of input is {text!r}; there are {', '.join(NAMES)}, sparse 0.1, 0,1 and @FILE:FUNCTION")


@dataclass(frozen=True)
class _Own:
    """A user's function, loaded when it is first called: its file may import a framework."""

    target: str

    def __call__(self, x: Array) -> Array:
        made: Array = load(self.target, "kind")(x)
        return made

    @property
    def is_symmetric(self) -> bool:
        """Whether it makes a symmetric matrix of any square one, and no diagonal one."""
        x = np.random.default_rng(0).standard_normal((_LENGTH, _LENGTH))
        try:
            made = np.asarray(self(x))
        except Exception:  # noqa: BLE001 - somebody's function, which may want other shapes
            return False
        return made.shape == x.shape and np.array_equal(made, made.T) and bool((made != np.diag(np.diag(made))).any())


def _numbers(text: str) -> list[float]:
    try:
        found = [float(part) for part in text.split(",")]
    except ValueError:
        return []
    return found if all(map(isfinite, found)) else []


def _simplex(x: Array) -> Array:
    e = np.exp(np.clip(x, -_FLATTEST, _FLATTEST))
    return np.asarray(e / e.sum(axis=-1, keepdims=True))


def _onehot(x: Array) -> Array:
    made = np.zeros_like(x)
    if x.size:
        np.put_along_axis(made, x.argmax(axis=-1, keepdims=True), 1.0, axis=-1)
    return made


def _unit(x: Array) -> Array:
    return np.asarray(x / np.sqrt((x * x).sum(axis=-1, keepdims=True)))


def _spd(x: Array) -> Array:
    n = x.shape[-1]
    return np.asarray(x @ np.swapaxes(x, -1, -2) / max(n, 1) + np.eye(n))


def _orthogonal(x: Array) -> Array:
    q, r = np.linalg.qr(x)
    signs = np.sign(np.diagonal(r, axis1=-2, axis2=-1))
    return np.asarray(q * signs[..., None, :])


def _sparse(x: Array, share: float) -> Array:
    """Keep the largest elements; one at least."""
    kept = np.zeros(x.size, dtype=bool)
    kept[np.argsort(-np.abs(x), axis=None)[: ceil(share * x.size)]] = True
    return np.asarray(np.where(kept.reshape(x.shape), x, 0.0))


def _among(x: Array, numbers: list[float]) -> Array:
    """Return one of the numbers for each element, all of them equally often."""
    below = 1 / (1 + np.exp(-_STEEPNESS * x))
    return np.asarray(np.take(numbers, np.minimum((below * len(numbers)).astype(int), len(numbers) - 1)))


KINDS: Final = {
    kind.text: kind
    for kind in (
        Kind("simplex", _simplex, axes=1),
        Kind("onehot", _onehot, axes=1, data=True),
        Kind("unit", _unit, axes=1),
        Kind("sorted", partial(np.sort, axis=-1), axes=1),
        Kind("spd", _spd, axes=2, square=True, symmetric=True),
        Kind("orthogonal", _orthogonal, axes=2, square=True),
    )
}
# Open at the ends where logarithms and reciprocals are infinite; {0..1} says that the ends belong to it.
INTERVALS: Final = {"positive": (0.01, inf), "probability": (0.01, 0.99)}
NAMES: Final = (*KINDS, *INTERVALS)
