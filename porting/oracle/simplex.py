"""Thresholds of the maps onto the probability simplex that give exact zeros, and what depends on them."""

from typing import Any

import numpy as np


def sparsemax_threshold(z: Any, axis: int) -> Any:
    """The tau with sum(max(z - tau, 0)) = 1 of each row, for rows whose largest element is 0.

    If z is in descending order and s_k = z_1 + ... + z_k, then tau = max over k of (s_k - 1) / k: each of these
    averages the one before with z_k, hence they rise as long as z_k is above them and fall from there on. No support
    has to be found first, and ties do no harm. As tau is at least -1, what is below counts as -1: nothing overflows.
    """
    ordered = -np.sort(-np.maximum(z, -1), axis)
    averages = (np.cumsum(ordered, axis) - 1) / np.cumsum(np.ones_like(ordered), axis)
    return np.max(averages, axis, keepdims=True)


def entmax15_threshold(z: Any, axis: int) -> Any:
    """The tau with sum(max(z - tau, 0)^2) = 1 of each row, for rows whose largest element is 0.

    For z in descending order, the k largest alone would have

        t_k = mean - sqrt((1 - k variance) / k),   mean and variance of z_1 ... z_k.

    With too few elements this is too low, with too many z_k is below tau: tau = max over k of min(t_k, z_k). One step
    of Newton's method gives back the digits that the variance loses.
    """
    ordered = -np.sort(-np.maximum(z, -1), axis)
    k = np.cumsum(np.ones_like(ordered), axis)
    mean = np.cumsum(ordered, axis) / k
    left = (1 - np.cumsum(ordered * ordered, axis)) / k + mean * mean
    tau = np.max(np.minimum(mean - np.sqrt(np.maximum(left, 0)), ordered), axis, keepdims=True)
    s = np.maximum(z - tau, 0)
    return tau + (np.sum(s * s, axis, keepdims=True) - 1) / (2 * np.sum(s, axis, keepdims=True))
