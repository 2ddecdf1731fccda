"""Measures what TensorFlow's tape keeps for the backward: no function reports it, so the memory of the process is read.

To be run in a process whose malloc maps every tensor on its own (`porting.bench.process.MEMORY`): then resident memory
follows the tensors exactly.
"""

import gc
from collections.abc import Callable
from statistics import median
from typing import Any, Final

import tensorflow as tf

from porting.bench.problem import Problem
from porting.bench.resident import resident

_TIMES: Final = 3


def held(problem: Problem, function: Callable[..., Any]) -> int:
    """Return the bytes that stay in use when inputs and outputs are released and the tape is kept; eager only.

    The tape of a custom gradient holds the output too, which is the input of what comes next. So for an op that makes
    one tensor of one of the same shape, it is what a second layer adds to the first. The median of three times: what
    other threads of TensorFlow let go of meanwhile counts too.
    """
    return int(median(_added(problem, function) for _ in range(_TIMES)))


def _added(problem: Problem, function: Callable[..., Any]) -> int:
    once, outputs = _held(problem, function, 1)
    if len(problem.inputs) == 1 and outputs == [next(iter(problem.inputs.values())).shape]:
        return _held(problem, function, 2)[0] - once
    return once


def _held(problem: Problem, function: Callable[..., Any], layers: int) -> tuple[int, list[tuple[int, ...]]]:
    """Return the bytes that a tape holds after some layers, and the outputs' shapes."""
    _forward(problem, function, layers)  # once before: kernels and caches stay
    before = _settled()
    tape, after = _forward(problem, function, layers)
    there = _settled() - before - sum(y.shape.num_elements() * y.dtype.size for y in after)
    del tape
    return max(0, int(there)), [tuple(y.shape) for y in after]


def _forward(problem: Problem, function: Callable[..., Any], layers: int) -> tuple[Any, list[Any]]:
    inputs = [tf.raw_ops.DeepCopy(x=x) for x in problem.inputs.values()]  # a constant is the array's own memory
    wrt = [x for x, name in zip(inputs, problem.inputs, strict=True) if name in problem.op.wrt]
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(wrt)
        for _ in range(layers):
            outputs = function(*inputs, **problem.statics)
            outputs = outputs if isinstance(outputs, tuple | list) else (outputs,)
            inputs = list(outputs)
        # The tape forgets what nothing depends on. A negation keeps the outputs' place in it, and not the outputs.
        return tape, [-y for y in outputs]


def _settled() -> int:
    gc.collect()
    return resident()
