"""Functions of the numbers of any framework, where a pair wants a function as an argument and nobody gave one.

``--static func=@porting.functions:smooth`` gives one to both sides.
"""

from typing import Any


def smooth(x: Any, *others: Any) -> Any:
    """Return 0.3 and the sum of x / (2 + x^2) over the arguments: smooth, bounded, never steeper than 1/2.

    It is written with operators alone, so that it takes tensors of PyTorch and TensorFlow, arrays of NumPy and what
    else is differentiated. Iterations of it come to an end.
    """
    y = 0.3 + x / (2.0 + x * x)
    for other in others:
        y = y + other / (2.0 + other * other)
    return y
