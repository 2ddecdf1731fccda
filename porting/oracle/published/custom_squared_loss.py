"""Squared error whose gradient is set to 1 close to the target, whatever the cotangent.

    d           = prediction - target
    y           = d^2
    dprediction = 2 d dy, but 1 where |d| < 0.1        as printed
    dtarget     = -2 d dy

The printed backward *overwrites* the cotangent where |d| < 0.1, so it is not linear in dy; it also pushes the
prediction down when it lies below the target already. `loss/squared_error_floor_gradient` is the repaired op.

Source: "Does PyTorch offer a function analogous to TensorFlow's tf.custom_gradient()?", example 2
(`CustomSquaredLoss`), as printed.
"""

from typing import Any

import numpy as np

from porting.spec import op, unstated


def band(prediction: Any, target: Any) -> tuple[Any, ...]:
    """The two predictions at distance 0.1 from the target."""
    return target - 0.1, target + 0.1


@op(
    gradient_of=unstated("as printed, the backward puts 1 in place of the cotangent where |prediction - target| < 0.1"),
    linear=False,
    kinks={"prediction": band},
)
def custom_squared_loss(prediction: Any, target: Any) -> Any:
    """(prediction - target)^2, per element."""
    return (prediction - target) ** 2


@custom_squared_loss.defvjp
def custom_squared_loss_vjp(dy: Any, y: Any, prediction: Any, target: Any) -> Any:
    """The two printed gradients."""
    d = prediction - target
    return np.where(np.abs(d) < 0.1, np.ones_like(dy), 2 * d * dy), -2 * d * dy
