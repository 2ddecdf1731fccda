"""Forward and backward in TensorFlow, eagerly, as a traced function or compiled by XLA, as one call."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import tensorflow as tf

from porting.bench.problem import Problem, nbytes
from porting.runners.base import Array, as_outputs

MODES: Final = ("eager", "function", "xla")
_WRONG: Final = 1e-4  # of a numerical gradient, as TensorFlow's own tests allow


class NumpyKit:
    """Copies by NumPy: TensorFlow cannot write into memory that is there already."""

    def empty(self, n: int) -> Any:
        """Return n float32 numbers."""
        return np.empty(n, np.float32)

    def copy(self, to: Any, x: Any) -> None:
        """Read one, write one."""
        np.copyto(to, x)

    def add(self, to: Any, x1: Any, x2: Any) -> None:
        """Read two, write one."""
        np.add(x1, x2, out=to)

    def read(self, x: Any) -> None:
        """Read one, write nothing."""
        x.sum()

    def fill(self, to: Any) -> None:
        """Write one, read nothing."""
        to.fill(1.0)


class Place:
    """One problem as TensorFlow tensors.

    Parameters
    ----------
    problem : Problem
        What is measured.
    twin : callable
        Says which shapes the outputs have.
    device : {"cpu"}
        Where.
    """

    def __init__(self, problem: Problem, twin: Callable[..., Any], device: str = "cpu") -> None:
        self.problem, self.device = problem, device
        self.kit = NumpyKit()
        self.inputs = [tf.constant(x) for x in problem.inputs.values()]
        self.wrt = [k for k, name in enumerate(problem.inputs) if name in problem.op.wrt]
        outputs = as_outputs(twin(*self.inputs, **problem.statics), tf.is_tensor, "a tensor")
        cotangents = problem.cotangents([tuple(y.shape) for y in outputs])
        self.dy = [tf.constant(v) for v in cotangents]
        inputs = list(problem.inputs.values())
        self.moved = nbytes(inputs), nbytes(cotangents), nbytes([inputs[k] for k in self.wrt])

    def step(self, mode: str, function: Callable[..., Any]) -> Callable[[], Any]:
        """Return a call that computes the outputs and the gradients."""
        statics = self.problem.statics

        def both(inputs: Any, dy: Any) -> tuple[Any, Any]:
            leaves = [inputs[k] for k in self.wrt]
            with tf.GradientTape(watch_accessed_variables=False) as tape:
                tape.watch(leaves)
                outputs = function(*inputs, **statics)
                outputs = tuple(outputs) if isinstance(outputs, tuple | list) else (outputs,)
            return outputs, tape.gradient(outputs, leaves, output_gradients=dy)

        if mode == "eager":
            return lambda: both(self.inputs, self.dy)
        traced = tf.function(both, jit_compile=mode == "xla")
        concrete = traced.get_concrete_function(self.inputs, self.dy)  # a third of the call is the search for it
        return lambda: concrete(self.inputs, self.dy)

    def checkers(self, function: Callable[..., Any]) -> dict[str, Callable[[], Any]]:
        """Return TensorFlow's own check of the gradient, with its default step."""
        statics = self.problem.statics

        def compute_gradient() -> None:
            theirs, numeric = tf.test.compute_gradient(lambda *xs: function(*xs, **statics), self.inputs)
            worst = max(float(np.abs(a - b).max(initial=0.0)) for a, b in zip(theirs, numeric, strict=True))
            if not worst < _WRONG:
                raise ValueError(f"the gradient is off by {worst:.1e} from differences")

        return {compute_gradient.__name__: compute_gradient}

    def prepare(self, mode: str, step: Callable[[], Any]) -> list[Array]:  # noqa: ARG002 - PyTorch's wants the mode
        """Run a step for the first time and return all its numbers."""
        outputs, gradients = step()
        gradients = [
            tf.zeros_like(self.inputs[k]) if g is None else g for g, k in zip(gradients, self.wrt, strict=True)
        ]
        return [tf.convert_to_tensor(t).numpy() for t in (*outputs, *gradients)]


def ready(mode: str, function: Callable[..., Any], x: Array) -> Callable[[], Any]:
    """Return a call that computes the gradient of a function of one tensor, after compiling and loading."""

    def both(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x)
        return tape.gradient(y, x)

    tensor = tf.constant(x)
    both(tf.ones(8))
    if mode == "eager":
        return lambda: both(tensor)
    concrete = tf.function(both, jit_compile=mode == "xla").get_concrete_function(tensor)
    if mode == "xla":
        concrete(tensor)  # compiles; what that needed is given back
    return lambda: concrete(tensor)
