"""Witnesses of the family loss: the printed sums in mpmath, thresholds by bisection, every alignment one by one."""

import mpmath
import numpy as np
from witness import Witness


def rows(function):
    """Make a function of a list of numbers and a label one of arrays of both."""

    def loss(x, labels, **statics):
        labels = np.asarray(labels)
        y = np.empty(labels.shape, dtype=object)
        for place in np.ndindex(labels.shape):
            y[place] = function(list(x[place]), int(labels[place]), **statics)
        return y if y.ndim else y.item()

    return loss


def bisected(excess, low, high):
    """Return where a falling function is 0."""
    for _ in range(int(mpmath.mp.prec) + 20):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) > 0 else (low, middle)
    return (low + high) / 2


def sparsemax_loss(x, label):
    tau = bisected(lambda t: mpmath.fsum(max(v - t, 0) for v in x) - 1, max(x) - 1, max(x))
    return mpmath.fsum((v**2 - tau**2) / 2 for v in x if v > tau) - x[label] + mpmath.mpf(1) / 2


def entmax15_loss(x, label):
    tau = bisected(lambda t: mpmath.fsum(max(v / 2 - t, 0) ** 2 for v in x) - 1, max(x) / 2 - 1, max(x) / 2)
    p = [max(v / 2 - tau, mpmath.mpf(0)) ** 2 for v in x]
    entropy = mpmath.mpf(4) / 3 * (1 - mpmath.fsum(q ** mpmath.mpf(1.5) for q in p))
    return mpmath.fsum(q * v for q, v in zip(p, x, strict=True)) - x[label] + entropy


def probability(x, label):
    """Return p of the label and 1 - p, each from a sum without subtraction."""
    e = [mpmath.exp(v) for v in x]
    return e[label] / mpmath.fsum(e), mpmath.fsum(v for k, v in enumerate(e) if k != label) / mpmath.fsum(e)


def smoothed_cross_entropy(x, label, *, smoothing):
    log_p = [-mpmath.log1p(probability(x, k)[1] / probability(x, k)[0]) for k in range(len(x))]
    smoothing = mpmath.mpf(smoothing)
    return -(1 - smoothing) * log_p[label] - smoothing * mpmath.fsum(log_p) / len(x)


def focal_loss(x, label, *, gamma, alpha):
    p, q = probability(x, label)
    return mpmath.mpf(alpha) * q ** mpmath.mpf(gamma) * mpmath.log1p(q / p)


def soft_dtw(distance, *, gamma):
    n, m = distance.shape

    def costs(i, j):
        """Yield the cost of each alignment from the first place to this one."""
        before = [(a, b) for a, b in ((i - 1, j - 1), (i - 1, j), (i, j - 1)) if a >= 0 and b >= 0]
        if not before:
            yield distance[i, j]
        for a, b in before:
            yield from (cost + distance[i, j] for cost in costs(a, b))

    gamma = mpmath.mpf(gamma)
    return -gamma * mpmath.log(mpmath.fsum(mpmath.exp(-cost / gamma) for cost in costs(n - 1, m - 1)))


POINTS = [
    ([1.0, 0.2, -1.0, 0.7], 2),
    ([[0.3, 0.3, 0.3], [5.0, -2.0, 4.75], [720.0, -720.0, 719.75]], [0, 1, 2]),
    ([[20.0, -20.5, 3.0], [2.5, 1.75, 0.5], [-720.0, 0.0, 3.0]], [0, 0, 1]),
]
WITNESS = {
    "sparsemax_loss": Witness(rows(sparsemax_loss), points=POINTS),
    "entmax15_loss": Witness(rows(entmax15_loss), points=POINTS),
    "smoothed_cross_entropy": Witness(rows(smoothed_cross_entropy), points=POINTS),
    "focal_loss": Witness(rows(focal_loss), points=POINTS),
    "soft_dtw": Witness(
        soft_dtw,
        points=[
            ([[0.7]],),
            ([[0.3, 1.0, 2.5], [0.1, 0.4, 0.2]],),
            ([[-0.5, 1.25], [20.0, -3.0], [0.75, 2.0], [1e-30, 0.0]],),
            ([[3.0, -21.0, 1.0], [0.5, 17.0, 0.25], [1.0, 2.0, -1.5]],),
        ],
        # the exponent is a sum of distances / gamma that cancel: with 21 / 0.1 it has 210 units
        ulp=40 + 4 * 210,
    ),
}
