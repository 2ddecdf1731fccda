"""Logistic function that keeps its input and computes its output again in the backward.

    y  = sigma(x)
    dx = y (1 - y) dy = sigma(x) sigma(-x) dy

The oracle takes 1 - y as sigma(-x), which keeps its digits where y is close to 1.

Source: "Does PyTorch offer a function analogous to TensorFlow's tf.custom_gradient()?", example 3
(`MemoryEfficientSigmoid`), as printed. Keeping y instead of x needs the same memory and no second evaluation.
"""

from typing import Any

from porting.oracle.elementary import sigmoid
from porting.spec import op


@op
def memory_efficient_sigmoid(x: Any) -> Any:
    """sigma(x) = 1 / (1 + e^-x)."""
    return sigmoid(x)


@memory_efficient_sigmoid.defvjp
def memory_efficient_sigmoid_vjp(dy: Any, y: Any, x: Any) -> Any:
    """sigma' = sigma (1 - sigma)."""
    return dy * y * sigmoid(-x)
