"""ReLU of guided backpropagation: a gradient passes only where it is positive and the input was.

    y  = max(x, 0)
    dx = dy [dy > 0] [x > 0]

[x > 0] is ReLU's derivative, 0 at the kink x = 0; [dy > 0] is what a deconvolutional network has in its place. With
both, only what excites a unit is left, layer by layer. The gradient is not linear in dy, so no function has it. At
dy = 0 the second derivative is 0. Where x is NaN, so is y, but dx is 0: the formula as it stands.

Source: Springenberg, Dosovitskiy, Brox, Riedmiller, "Striving for Simplicity: The All Convolutional Net", ICLR 2015
workshop, section 3.4 and figure 1.
"""

from typing import Any

import numpy as np

from porting.spec import op, unstated


@op(gradient_of=unstated("drops negative cotangents, so it is no derivative"), linear=False, kinks={"x": (0.0,)})
def guided_relu(x: Any) -> Any:
    """max(x, 0)."""
    return np.maximum(x, 0)


@guided_relu.defvjp
def guided_relu_vjp(dy: Any, y: Any, x: Any) -> Any:
    """1 where both are positive, else 0."""
    return np.where(x > 0, np.maximum(dy, 0), 0 * dy)
