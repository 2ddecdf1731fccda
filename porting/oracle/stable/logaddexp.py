"""Logarithm of the sum of two exponentials; -infinity twice gives -infinity, with gradients 0.

    y   = log(e^x1 + e^x2) = max(x1, x2) + log1p(e^-|x1 - x2|)
    dx1 = dy sigma(x1 - x2)
    dx2 = dy sigma(x2 - x1)

Derivation: e^x1 / (e^x1 + e^x2) = sigma(x1 - x2). Both inputs have one shape. Where both are -infinity, two impossible
events, no input can raise the sum and both gradients are 0, as in `stable/logsumexp`: the other input is taken no lower
than the lowest finite number, so that the difference is -infinity.

Source: `numpy.logaddexp`; the log-domain sum of hidden Markov models and of CTC.
"""

from typing import Any

import numpy as np

from porting.oracle.elementary import sigmoid
from porting.spec import op


@op(refuses=({"x1": [[1.0, 2.0]], "x2": [1.0, 2.0]},))
def logaddexp(x1: Any, x2: Any) -> Any:
    """log(e^x1 + e^x2)."""
    if np.shape(x1) != np.shape(x2):
        raise ValueError(f"x1 {list(np.shape(x1))}, x2 {list(np.shape(x2))}: wanted one shape")
    return np.logaddexp(x1, x2)


@logaddexp.defvjp
def logaddexp_vjp(dy: Any, y: Any, x1: Any, x2: Any) -> Any:
    """sigma(x1 - x2) and sigma(x2 - x1)."""
    return dy * sigmoid(x1 - _finite(x2)), dy * sigmoid(x2 - _finite(x1))


def _finite(x: Any) -> Any:
    return np.maximum(x, np.finfo(x.dtype).min)
