"""What is saved may change places in a backward, or be changed there: each name is what it is at that line."""

import numpy as np
import pytest
from against_source import same_numbers

_SOURCE = """import torch


class Mine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, a, b):
        ctx.save_for_backward(a, b)
        ctx.b = b
        return x * a / b

    @staticmethod
    def backward(ctx, dy):
        a, b = ctx.saved_tensors
        {line}
        return dy * a, dy / b, dy * a * b
"""
_LINES = [
    "a, b = b, a",
    "a, (b, c) = b, (a, a); b = b * c",
    "old = a; a = a * 2; b = old * b",
    "old, a = a, b; b = old",
    "b, a = ctx.saved_tensors",
    "b, a = ctx.saved_tensors[0], ctx.b",
    "a, old = ctx.b, a; b = b - old",
]


@pytest.mark.parametrize("line", _LINES)
def test_each_name_is_what_it_is_at_its_line(line, tmp_path):
    x, a, b = np.array([0.3, -1.2]), np.array([1.4, 0.7]), np.array([-0.9, 2.1])
    same_numbers(tmp_path, _SOURCE.format(line=line.replace("; ", "\n        ")), x, a, b)


SAVED_ALONE = """import torch


class Mine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x * w)
        ctx.w = w
        return x * x * w

    @staticmethod
    def backward(ctx, dy):
        x = ctx.saved_tensors
        x = x[0]
        return 2 * x * dy, dy * (x / ctx.w) ** 2
"""


def test_a_name_for_the_saved_tensors_that_becomes_the_one_tensor(tmp_path):
    text = same_numbers(tmp_path, SAVED_ALONE, np.array([0.3, -1.2]), np.array([1.4, 0.7]))
    assert "[0]" not in text
