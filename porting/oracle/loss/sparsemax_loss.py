"""Sparsemax loss: what the cross entropy is to softmax, with exact zeros in the gradient.

    y  = sum over the p_i > 0 of (x_i^2 - tau^2) / 2  -  x_k  +  1/2,   p = sparsemax(x), k = label
    dx = dy (p - e_k)

Derivation: y = max over the simplex of (p . x - |p|^2 / 2) - x_k + 1/2, whose derivative is the maximising p, less e_k.
The printed sum cancels where the loss is small. Since the p of the support are x - tau, it is also

    y  = |p - e_k|^2 / 2  +  max(tau - x_k, 0),

and with 1 - p_k = the sum of the others, nothing is subtracted from anything of its own size. The value is 0 exactly
where x_k is larger than all others by 1 or more. The gradient is continuous; its derivative jumps where an element
meets tau. The labels are integers without a gradient.

Source: A. F. T. Martins and R. F. Astudillo, "From softmax to sparsemax", ICML 2016, equations 20 and 22; M. Blondel,
A. F. T. Martins and V. Niculae, "Learning with Fenchel-Young losses", JMLR 2020.
"""

from typing import Any

import numpy as np

from porting.oracle.refusals import refuse_integers, refuse_labels
from porting.oracle.simplex import sparsemax_threshold
from porting.spec import op


@op(
    shapes={"x": (..., "n"), "labels": (...,)},
    domain={"labels": "n"},
    refuses=(
        {"x": [1, 2]},
        {"x": [[0.5, 1.0]], "labels": [2]},
        {"x": [[0.5, 1.0]], "labels": [-1]},
        {"x": [[0.5, 1.0]], "labels": [0.0]},
        {"x": [[0.5, 1.0]], "labels": [0, 1]},
        {"x": 0.5, "labels": 0},
    ),
)
def sparsemax_loss(x: Any, labels: Any) -> Any:
    """|p - e_k|^2 / 2 + max(tau - x_k, 0) of each row."""
    refuse_integers("x", x)
    refuse_labels(x, labels)
    z = x - np.max(x, -1, keepdims=True)
    tau = sparsemax_threshold(z, -1)
    at_label = labels[..., None] == np.arange(x.shape[-1])
    others = np.where(at_label, 0, np.maximum(z - tau, 0))
    missing = np.max(np.where(at_label, np.maximum(tau - z, 0), 0), -1)
    return (np.sum(others * others, -1) + np.sum(others, -1) ** 2) / 2 + missing


@sparsemax_loss.defvjp
def sparsemax_loss_vjp(dy: Any, y: Any, x: Any, labels: Any) -> Any:
    """p - e_k, where p_k - 1 is the others' sum with a minus."""
    z = x - np.max(x, -1, keepdims=True)
    at_label = labels[..., None] == np.arange(x.shape[-1])
    others = np.where(at_label, 0, np.maximum(z - sparsemax_threshold(z, -1), 0))
    return np.asarray(dy)[..., None] * np.where(at_label, -np.sum(others, -1, keepdims=True), others)
