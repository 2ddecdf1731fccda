"""Entmax loss with alpha = 1.5: between cross entropy and sparsemax loss.

    y  = p . x - x_k + 4/3 (1 - sum(p^(3/2))),   p = entmax15(x), k = label
    dx = dy (p - e_k)

Derivation: y is the maximum over the simplex of p . x + H(p), less x_k, with the entropy H of the last term; its
derivative is the maximising p, less e_k. The printed sum cancels where the loss is small. With s = sqrt(p), which is
x / 2 - tau on the support, and 1 - s_k^2 = the sum of the others' squares, q, it is also

    y  = 2/3 ((s_k + 2) (q / (1 + s_k))^2  +  sum of the others' s^3)  +  2 max(tau - x_k / 2, 0),

where nothing is subtracted from anything of its own size. The value is 0 exactly where x_k is larger than all others by
2 or more. The labels are integers without a gradient.

Source: B. Peters, V. Niculae and A. F. T. Martins, "Sparse sequence-to-sequence models", ACL 2019, equation 8; their
entropy is (1 - sum(p^1.5)) / (1.5 * 0.5), the factor above.
"""

from typing import Any

import numpy as np

from porting.oracle.refusals import refuse_integers, refuse_labels
from porting.oracle.simplex import entmax15_threshold
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
def entmax15_loss(x: Any, labels: Any) -> Any:
    """2/3 ((s_k + 2) (1 - s_k)^2 + sum of the others' s^3) + 2 max(tau - x_k / 2, 0) of each row."""
    refuse_integers("x", x)
    refuse_labels(x, labels)
    half = x / 2
    z = half - np.max(half, -1, keepdims=True)
    tau = entmax15_threshold(z, -1)
    at_label = labels[..., None] == np.arange(x.shape[-1])
    s = np.maximum(z - tau, 0)
    others = np.where(at_label, 0, s)
    at = np.max(np.where(at_label, s, 0), -1)
    short = np.sum(others * others, -1) / (1 + at)  # 1 - s_k
    missing = np.max(np.where(at_label, np.maximum(tau - z, 0), 0), -1)
    return 2 * (((at + 2) * short * short + np.sum(others * others * others, -1)) / 3 + missing)


@entmax15_loss.defvjp
def entmax15_loss_vjp(dy: Any, y: Any, x: Any, labels: Any) -> Any:
    """p - e_k, where p_k - 1 is the others' sum with a minus."""
    half = x / 2
    z = half - np.max(half, -1, keepdims=True)
    at_label = labels[..., None] == np.arange(x.shape[-1])
    others = np.where(at_label, 0, np.maximum(z - entmax15_threshold(z, -1), 0) ** 2)
    return np.asarray(dy)[..., None] * np.where(at_label, -np.sum(others, -1, keepdims=True), others)
