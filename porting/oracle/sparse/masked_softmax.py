"""Softmax over the elements that a mask leaves; a row without any gives 0.

    y  = e^x / (sum of e^x where the mask is not 0) where the mask is not 0, else 0
    dx = y (dy - sum(y dy))

Derivation: that of softmax, on the elements left; where y = 0 the gradient is 0 too, so that the formula needs no mask,
and a row without any element has value 0 and gradient 0. The mask is integers or booleans, has no gradient, and may
have fewer axes than x or axes of length 1. What x is where the mask is 0 is not looked at, be it NaN or infinite.
Source: the padding mask of A. Vaswani et al., "Attention is all you need", NeurIPS 2017, section 3.2.3.
"""

from typing import Any

import numpy as np

from porting.oracle.refusals import refuse_axis, refuse_integers
from porting.spec import op


@op(
    shapes={"x": (..., "n"), "mask": (..., "n")}, domain={"mask": range(2)}, statics={"axis": (0,)},
    refuses=(
        {"x": [1, 2]}, {"axis": 2}, {"axis": -3}, {"x": 1.0, "mask": 1}, {"mask": [0.0]}, {"mask": [1, 0]},
        {"mask": [[[1]]]},
    ),
)  # fmt: skip
def masked_softmax(x: Any, mask: Any, *, axis: int = -1) -> Any:
    """Softmax where the mask is not 0, else 0."""
    refuse_integers("x", x)
    refuse_axis(x, axis)
    if mask.dtype.kind not in "biu":
        raise TypeError(f"mask: integers or booleans are wanted, got {mask.dtype.name}")
    if mask.ndim > x.ndim or any(m not in {1, n} for m, n in zip(mask.shape[::-1], x.shape[::-1], strict=False)):
        raise ValueError(f"mask {list(mask.shape)}: wanted a shape that broadcasts to that of x {list(x.shape)}")
    left = np.where(mask != 0, x, -np.inf)
    top = np.max(left, axis, keepdims=True)
    e = np.exp(left - top)
    return np.where(mask != 0, e / np.sum(e, axis, keepdims=True), 0)


@masked_softmax.defvjp
def masked_softmax_vjp(dy: Any, y: Any, x: Any, mask: Any, *, axis: int = -1) -> Any:
    """y times dy less its mean; from the largest y, so that nothing cancels where one y is 1."""
    dy = dy - np.take_along_axis(dy, np.argmax(y, axis, keepdims=True), axis)
    return y * (dy - np.sum(y * dy, axis, keepdims=True))
