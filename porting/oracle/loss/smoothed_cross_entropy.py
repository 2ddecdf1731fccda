"""Cross entropy with a softmax and smoothed labels.

    y  = -sum(q log p),   p = softmax(x), q = smoothing / n, and 1 - smoothing more at the label
    dx = dy (p - q)

Derivation: q sums to 1, so y = log(sum(e^x)) - q . x, and the derivative of the first term is p. With d = the largest x
less x, which is 0 at one place at least, it is a sum without any minus:

    y  = log(1 + sum over the other places of e^-d)  +  (1 - smoothing) d_k  +  smoothing (mean of d),   k = label.

In the gradient p_k - 1 is computed as minus the sum of the other p. The labels are integers without a gradient, n is
the number of classes, and the smoothing lies between 0 (cross entropy) and 1.

Source: C. Szegedy et al., "Rethinking the Inception architecture for computer vision", CVPR 2016, section 7.
"""

from typing import Any

import numpy as np

from porting.oracle.refusals import refuse_integers, refuse_labels
from porting.spec import op


@op(
    shapes={"x": (..., "n"), "labels": (...,)}, domain={"labels": "n"}, statics={"smoothing": (0.1, 0.0, 1.0)},
    refuses=(
        {"x": [1, 2]},
        {"smoothing": -0.1}, {"smoothing": 1.5}, {"smoothing": float("nan")},
        {"x": [[0.5, 1.0]], "labels": [2]}, {"x": [[0.5, 1.0]], "labels": [-1]}, {"x": [[0.5, 1.0]], "labels": [0.0]},
        {"x": [[0.5, 1.0]], "labels": [0, 1]}, {"x": 0.5, "labels": 0},
    ),
)  # fmt: skip
def smoothed_cross_entropy(x: Any, labels: Any, *, smoothing: float) -> Any:
    """log(sum(e^x)) - q . x of each row."""
    refuse_integers("x", x)
    if not 0 <= smoothing <= 1:
        raise ValueError(f"smoothing={smoothing}: wanted 0 <= smoothing <= 1")
    refuse_labels(x, labels)
    d = np.max(x, -1, keepdims=True) - x
    places = np.arange(x.shape[-1])
    beside = np.where(places == np.argmin(d, -1, keepdims=True), 0, np.exp(-d))
    at_label = np.take_along_axis(d, labels[..., None], -1)[..., 0]
    return np.log1p(np.sum(beside, -1)) + (1 - smoothing) * at_label + smoothing * np.mean(d, -1)


@smoothed_cross_entropy.defvjp
def smoothed_cross_entropy_vjp(dy: Any, y: Any, x: Any, labels: Any, *, smoothing: float) -> Any:
    """p - q."""
    n = x.shape[-1]
    e = np.exp(x - np.max(x, -1, keepdims=True))
    p = e / np.sum(e, -1, keepdims=True)
    at_label = labels[..., None] == np.arange(n)
    others = np.where(at_label, 0, p)
    missing = np.sum(others, -1, keepdims=True)
    return np.asarray(dy)[..., None] * np.where(at_label, smoothing * (n - 1) / n - missing, others - smoothing / n)
