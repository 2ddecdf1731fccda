"""Tuples within the left side of an assignment stay tuples."""

import numpy as np
from against_source import same_numbers

_SOURCE = """import torch


def halves(x):
    return (x / 2, x / 4), (x * 2, x * 4)


class Mine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        (a, b), (c, _) = halves(x)
        ctx.save_for_backward(x, w)
        return a * w + b + c

    @staticmethod
    def backward(ctx, dy):
        x, w = ctx.saved_tensors
        [(a, _), [b, c]] = halves(dy)
        return a * w + b, dy * x + c
"""


def test_a_tuple_in_a_target_stays_one(tmp_path):
    text = same_numbers(tmp_path, _SOURCE, np.array([0.3, -1.2]), np.array([1.4, 0.7]))
    assert "(a, b), (c, _) = halves(x)" in text


def test_a_target_over_several_lines_stands_on_one(tmp_path):
    source = _SOURCE.replace("(a, b), (c, _) = halves(x)", "((a, b),\n         (c, _)) = halves(x)")
    text = same_numbers(tmp_path, source, np.array([0.3, -1.2]), np.array([1.4, 0.7]))
    assert "(a, b), (c, _) = halves(x)" in text
