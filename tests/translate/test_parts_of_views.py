"""Writes to a part of a view change the tensor behind it, where it is seen which tensor that is."""

import numpy as np
import pytest
from against_source import same_numbers, text_of

_SOURCE = """import torch


def turned(x, last):
    if last:
        return x
    axes = [1, 0]
    return x.permute(axes)


def copied(x, last):
    return x if last else x * 1


def halved(x):
    x = x / 2
    return x


class Mine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, last=False):
        rows = x[0] > 0.2
        ctx.save_for_backward(x, w, rows)
        y = x * w
        {line}
        return y

    @staticmethod
    def backward(ctx, dy):
        x, w, rows = ctx.saved_tensors
        y = dy * w
        last = False
        {line}
        return y, dy * x, None
"""
_LINES = [
    "turned(y, last)[rows] = x.t()[rows] * 2",
    "turned(y, True)[1] += w[0]",
    "y.t()[rows] = 0.5",
    "y.T[1, 2] = 0.25",
    "y[1:][0, ::2] = w[0, 1::2]",
    "y.unsqueeze(0).transpose(1, 2)[:, rows] *= 3.0",
    "turned(y[1:], last)[rows] = -1.0",
]


@pytest.mark.parametrize("line", _LINES)
def test_a_write_to_a_view_changes_what_is_behind_it(line, tmp_path):
    rng = np.random.default_rng(7)
    text = same_numbers(tmp_path, _SOURCE.format(line=line), rng.normal(size=(3, 4)), rng.normal(size=(3, 4)))
    assert "y = _put(y, " in " ".join(text.split()).replace("_put( y", "_put(y")


@pytest.mark.parametrize(
    "line",
    [
        "copied(y, last)[rows] = 0.5",
        "halved(y)[0] = 0.5",
        "y.reshape(-1)[0] = 0.5",
        "y.flatten()[0] = 0.5",
        "y[x > 0][0] = 0.5",
        "v = y.t(); turned(y, last)[rows] = 0.5; y = y + v.t()",
    ],
)
def test_a_write_to_what_may_be_a_copy_is_refused(line, tmp_path):
    text, why = text_of(tmp_path, _SOURCE.format(line=line))
    assert not text
    assert why
