"""Squared error whose gradient does not fade near the target: the repaired `published/custom_squared_loss`.

    d           = prediction - target
    y           = d^2
    dprediction = dy f(d),   f(d) = floor sign(d) where |d| < threshold, else 2 d
    dtarget     = -dprediction

The gradient is the derivative of g(d) = floor |d| where |d| < threshold, else d^2: absolute error close to the target
and squared error away from it. That is the idea of the reversed Huber loss (Owen, 2007), which chooses its constants so
that g is smooth; with the printed ones g jumps at the threshold. Three repairs to the printed op: the floor multiplies
the cotangent, it points towards the target from both sides, and the target gets the opposite
gradient. At d = 0 both gradients are 0; at |d| = threshold the outer branch counts.

Source of the idea: A. B. Owen, "A robust hybrid of lasso and ridge regression", 2007 (the berHu penalty).
"""

from typing import Any

import numpy as np

from porting.spec import op


def reversed_huber(prediction: Any, target: Any, *, threshold: float, floor: float) -> Any:
    """floor |d| where |d| < threshold, else d^2."""
    d = prediction - target
    return np.where(np.abs(d) < threshold, floor * np.abs(d), d**2)


def bends(prediction: Any, target: Any, *, threshold: float, floor: float) -> tuple[Any, ...]:
    """The predictions at the target and at the threshold on both sides."""
    return target, target - threshold, target + threshold


@op(gradient_of=reversed_huber, kinks={"prediction": bends}, statics={"threshold": (0.5,), "floor": (2.0,)})
def squared_error_floor_gradient(prediction: Any, target: Any, *, threshold: float = 0.1, floor: float = 1.0) -> Any:
    """(prediction - target)^2, per element."""
    return (prediction - target) ** 2


@squared_error_floor_gradient.defvjp
def squared_error_floor_gradient_vjp(
    dy: Any, y: Any, prediction: Any, target: Any, *, threshold: float = 0.1, floor: float = 1.0
) -> Any:
    """f(d) dy and its opposite."""
    d = prediction - target
    dprediction = dy * np.where(np.abs(d) < threshold, floor * np.sign(d), 2 * d)
    return dprediction, -dprediction
