"""ReLU whose gradient is the constant -1/2 from 0 down, whatever the cotangent.

    y  = max(x, 0)
    dx = dy [x > 0]  -  1/2 [x <= 0]        as printed

The printed backward *overwrites* the cotangent where x <= 0, so it is affine, not linear, in dy: a loss scaled by 10
moves those entries no further. At x = 0 it gives -1/2 (the text says 0). `activation/relu_negative_slope_gradient` is
the repaired op: -dy/2 there.

Source: "Does PyTorch offer a function analogous to TensorFlow's tf.custom_gradient()?", example 1 (`CustomReLU`), as
printed.
"""

from typing import Any

import numpy as np

from porting.spec import op, unstated


@op(
    gradient_of=unstated("as printed, the backward puts -0.5 in place of the cotangent where x <= 0"),
    linear=False,
    kinks={"x": (0.0,)},
)
def custom_relu(x: Any) -> Any:
    """max(x, 0)."""
    return np.maximum(x, 0)


@custom_relu.defvjp
def custom_relu_vjp(dy: Any, y: Any, x: Any) -> Any:
    """The cotangent above 0, the constant -1/2 below."""
    return np.where(x <= 0, np.full_like(dy, -0.5), dy)
