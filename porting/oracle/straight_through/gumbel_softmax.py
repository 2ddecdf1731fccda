"""A one-hot sample of a categorical distribution, whose gradient is that of the softmax.

    y       = 1 where logits + noise is largest along the axis, else 0
    dlogits = s (dy - sum of dy s) / temperature        s = softmax((logits + noise) / temperature)
    dnoise  = dlogits

With noise of the Gumbel distribution y is a sample of softmax(logits) (the Gumbel-max trick). argmax is constant
between its jumps; the softmax becomes it as the temperature goes to 0, so its derivative stands in. The noise is an
input: a hidden draw could not be repeated on the other side.

Of equal sums the first wins, and NaN counts as the largest. Half the sum is taken, since the sum may overflow.

Source: Jang, Gu & Poole 2017, "Categorical Reparameterization with Gumbel-Softmax" (straight-through estimator).
"""

from typing import Any

import numpy as np

from porting.spec import op


def relaxed(logits: Any, noise: Any, *, temperature: float, axis: int = -1) -> Any:
    """softmax((logits + noise) / temperature)."""
    half = logits / 2 + noise / 2
    e = np.exp((half - np.max(np.real(half), axis=axis, keepdims=True)) * (2 / temperature))
    return e / e.sum(axis, keepdims=True)


@op(
    gradient_of=relaxed,
    shapes={"logits": (..., "n"), "noise": (..., "n")},
    statics={"temperature": (0.5, 2.0), "axis": (-1, 0)},
    refuses=({"temperature": 0.0}, {"temperature": -1.0}, {"axis": 2}, {"axis": -3}, {"noise": [1.0, 2.0, 3.0, 4.0]}),
)
def gumbel_softmax(logits: Any, noise: Any, *, temperature: float, axis: int = -1) -> Any:
    """One-hot at the largest of logits + noise."""
    if not temperature > 0:
        raise ValueError(f"temperature={temperature}: wanted temperature > 0")
    if not -logits.ndim <= axis < logits.ndim:
        raise ValueError(f"axis={axis}: wanted {-logits.ndim} <= axis < {logits.ndim}, an axis of logits")
    if noise.shape != logits.shape:
        raise ValueError(f"noise of shape {list(noise.shape)}: wanted {list(logits.shape)}, that of logits")
    half = logits / 2 + noise / 2
    y = np.zeros_like(half)
    np.put_along_axis(y, np.argmax(half, axis=axis, keepdims=True), 1, axis)
    return y


@gumbel_softmax.defvjp
def gumbel_softmax_vjp(dy: Any, y: Any, logits: Any, noise: Any, *, temperature: float, axis: int = -1) -> Any:
    """The derivative of the softmax, for both."""
    s = relaxed(logits, noise, temperature=temperature, axis=axis)
    dy = dy - np.take_along_axis(dy, np.argmax(s, axis=axis, keepdims=True), axis)  # or dy - sum cancels as s nears 1
    dz = s * (dy - (dy * s).sum(axis, keepdims=True)) / temperature
    return dz, dz
