"""A few elements that are wrong among many that are right."""

# mypy: allow-untyped-defs, allow-untyped-calls

import torch

from porting.selftest.edits import planted_edits


def _times(dx, where, factor):
    """Multiply some elements of a gradient, counted row by row."""
    factors = torch.ones_like(dx).reshape(-1)
    factors[where] = factor
    return dx * factors.reshape(dx.shape)


planted_edits(
    __name__,
    """
    LastElementMissing: cube, few_elements
        The last element's gradient is 0: a loop ends one too early.
        - return 3 * x**2 * dy
        + return _times(3 * x**2 * dy, slice(-1, None), 0)
    OneOfMany: sine, few_elements
        The gradient of element 54321 is 0; there are that many in large inputs alone.
        - return torch.cos(x) * dy
        + return _times(torch.cos(x) * dy, slice(54321, 54322), 0)
    OneSignFlipped: softplus, few_elements
        One element's gradient has the wrong sign; which one depends on their number.
        - return torch.sigmoid(x) * dy
        + k = 7 * dy.numel() // 11
        + return _times(torch.sigmoid(x) * dy, slice(k, k + 1), -1)
    TailNotComputed: sigmoid, few_elements, flash-attention PR#2790
        The gradient is computed in blocks of 8, and what is left over stays 0.
        - return torch.sigmoid(x) * torch.sigmoid(-x) * dy
        + return _times(torch.sigmoid(x) * torch.sigmoid(-x) * dy, slice(dy.numel() // 8 * 8, None), 0)
    FirstTwoExchanged: sine, few_elements
        The gradients of the first two elements are exchanged.
        - return torch.cos(x) * dy
        + dx = torch.cos(x) * dy
        + flat = dx.reshape(-1)
        + return torch.cat([flat[:2].flip(0), flat[2:]]).reshape(dx.shape)
    """,
)
