"""Focal loss of a softmax: cross entropy that counts less where the label is already likely.

    y  = -alpha (1 - p_k)^gamma log(p_k),   p = softmax(x), k = label
    dx = dy alpha (1 - p_k)^gamma (1 - p_k - gamma p_k log p_k) (r - e_k),   r = softmax of the others, r_k = 0

This is the form for several classes that exclude each other. The paper has one logistic for each class instead, and
weighs the negative ones with 1 - alpha; here alpha is one factor, and weights of classes are the caller's product.

Derivation: everything depends on one number, the margin m = log(sum over the others of e^x_i) - x_k, whose derivative
is r - e_k: p_k = sigmoid(-m), 1 - p_k = sigmoid(m), -log p_k = softplus(m). With the power as
e^(-gamma softplus(-m)), value and gradient are smooth in m and finite for every m and gamma, and so are all further
derivatives: neither 1 - p_k nor 0^(gamma - 1) is computed. Of a single class the value is 0.

Source: T.-Y. Lin et al., "Focal loss for dense object detection", ICCV 2017, equation 5.
"""

from typing import Any

import numpy as np

from porting.oracle.elementary import sigmoid, softplus
from porting.oracle.refusals import refuse_integers, refuse_labels
from porting.spec import op


@op(
    shapes={"x": (..., "n"), "labels": (...,)}, domain={"labels": "n"},
    statics={"gamma": (2.0, 0.0, 0.5), "alpha": (0.25, 1.0)},
    refuses=(
        {"x": [1, 2]},
        {"gamma": -1.0}, {"gamma": float("inf")}, {"alpha": 0.0}, {"alpha": float("nan")},
        {"x": [[0.5, 1.0]], "labels": [2]}, {"x": [[0.5, 1.0]], "labels": [-1]}, {"x": [[0.5, 1.0]], "labels": [0.0]},
        {"x": [[0.5, 1.0]], "labels": [0, 1]}, {"x": 0.5, "labels": 0},
    ),
)  # fmt: skip
def focal_loss(x: Any, labels: Any, *, gamma: float, alpha: float) -> Any:
    """alpha (1 - p_k)^gamma times the cross entropy of each row."""
    refuse_integers("x", x)
    if not 0 <= gamma < float("inf"):
        raise ValueError(f"gamma={gamma}: wanted a finite gamma >= 0")
    if not 0 < alpha < float("inf"):
        raise ValueError(f"alpha={alpha}: wanted a finite alpha > 0")
    refuse_labels(x, labels)
    m, _ = margin(x, labels)
    return alpha * np.exp(-gamma * softplus(-m)) * softplus(m)


@focal_loss.defvjp
def focal_loss_vjp(dy: Any, y: Any, x: Any, labels: Any, *, gamma: float, alpha: float) -> Any:
    """Derivative by the margin, times that of the margin."""
    m, slope = margin(x, labels)
    entropy = sigmoid(-m) * np.minimum(softplus(m), np.finfo(m.dtype).max)  # -p log p, and 0 log 0 = 0
    by_margin = alpha * np.exp(-gamma * softplus(-m)) * (sigmoid(m) + gamma * entropy)
    return (dy * by_margin)[..., None] * slope


def margin(x: Any, labels: Any) -> tuple[Any, Any]:
    """Return m and its derivative by x."""
    lowest = np.finfo(x.dtype).min
    at_label = labels[..., None] == np.arange(x.shape[-1])
    others = np.where(at_label, lowest, x)
    top = np.max(others, -1, keepdims=True)
    e = np.exp(others - top)
    total = np.sum(e, -1, keepdims=True)
    m = (top - np.take_along_axis(x, labels[..., None], -1) + np.log(total))[..., 0]
    return np.maximum(m, lowest), np.where(at_label, -1, e / total)
