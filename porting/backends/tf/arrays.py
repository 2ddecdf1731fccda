"""Turns the arrays of a case into TensorFlow tensors, and back; says what a trace may know about their shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import tensorflow as tf

from porting.runners.bits import BFLOAT16

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from porting.runners.base import Array, Case


def tensors(case: Case) -> tuple[list[Any], list[Any], list[Any]]:
    """Return the inputs, the cotangents, and those of the gradients."""
    return (
        [_constant(x) for x in case.inputs.values()],
        [_constant(v) for v in case.dy or ()],
        [_constant(v) for v in case.ddx or ()],
    )


def specs(case: Case) -> list[list[Any]]:
    """Return specs of any shape, except for input lengths that a contract fixes, such as the lengths of parameters."""
    declared = getattr(getattr(case.op, "contract", None), "shapes", {})
    fixed: list[list[Any]] = [
        [n if isinstance(n, int) else None for n in declared.get(name, ()) if n is not ...] for name in case.inputs
    ]
    inputs, dy, ddx = tensors(case)
    lengths: list[list[Any]] = [[None] * (t.ndim - len(known)) + known for t, known in zip(inputs, fixed)]
    lengths += [[None] * t.ndim for t in (*dy, *ddx)]
    found = [tf.TensorSpec(shape, t.dtype) for shape, t in zip(lengths, (*inputs, *dy, *ddx))]
    return [found[: len(inputs)], found[len(inputs) : len(inputs) + len(dy)], found[len(inputs) + len(dy) :]]


def _constant(x: Array) -> Any:
    """Copy an array to a tensor; an old TensorFlow has a bfloat16 of its own, which takes the same bits."""
    return tf.constant(x.view(tf.bfloat16.as_numpy_dtype) if x.dtype == BFLOAT16 else x)


def arrays(found: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """Return the fields of an `Outcome` as arrays."""
    return {key: tuple(None if t is None else np.array(t.numpy()) for t in part) for key, part in found.items()}
