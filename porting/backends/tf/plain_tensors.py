"""Tensors that a Keras layer holds in plain attributes: each copy of the layer draws its own, so all are given one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from porting.backends.tf.copied import Copy
    from porting.runners.base import Array


def numbers(copy: Copy) -> dict[str, Array]:
    """Return the numbers of the plain tensors of a copy, by the paths that lead to them."""
    return {place.path: place.variable.numpy() for place in copy.tensors}


def another(copied: Callable[[], Copy]) -> Copy:
    """Return a copy with other random numbers."""
    from porting.runners import RUNNERS
    from porting.runners.seeded import other_seeds

    with other_seeds(RUNNERS["tf"]):
        return copied()


def drawn(copy: Copy, copied: Callable[[], Copy]) -> dict[str, Array]:
    """Return those of a copy that are drawn: another copy has other ones."""
    mine = numbers(copy)
    theirs = numbers(another(copied)) if mine else {}
    return {n: x for n, x in mine.items() if n in theirs and not np.array_equal(x, theirs[n], equal_nan=True)}


def fill(copy: Copy, given: Mapping[str, Any]) -> None:
    """Put numbers into the plain tensors of a copy, in the types that these have there."""
    import tensorflow as tf

    for place in copy.tensors:
        if place.path in given:
            place.put(tf.constant(given[place.path], place.variable.dtype))
