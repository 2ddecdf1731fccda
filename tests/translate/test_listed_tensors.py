"""Tensors that a forward puts into a list, line by line, are saved by their names."""

import numpy as np
import pytest
from against_source import same_numbers, text_of

_SOURCE = """import torch


class Mine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        {lines}
        ctx.save_for_backward(*kept, w)
        return x * w

    @staticmethod
    def backward(ctx, dy):
        a, b, w = ctx.saved_tensors
        return dy * w * b / b, dy * a
"""


def _source(lines):
    return _SOURCE.format(lines=lines.replace("; ", "\n        "))


@pytest.mark.parametrize(
    "lines",
    [
        "kept = [x]; kept.append(w * 2)",
        "kept = []; kept.append(x); x = x + 0; kept.append(x)",
        "kept_0 = 1.0; kept = []; kept += [x, w * kept_0]",
        "kept = [x, w]",
    ],
)
def test_what_is_in_the_list_is_saved(lines, tmp_path):
    text = same_numbers(tmp_path, _source(lines), np.array([0.3, -1.2]), np.array([1.4, 0.7]))
    assert "kept =" not in text


@pytest.mark.parametrize(
    "lines",
    [
        "kept = []; [kept.append(t) for t in (x, w)]",
        "kept = [w]; kept.insert(0, x)",
        "kept = [x]; other = kept; other.append(w)",
        "kept = [x, w]\n        if x.dim() == 1:\n            kept.append(w)",
    ],
)
def test_a_list_that_is_filled_otherwise_is_refused(lines, tmp_path):
    text, why = text_of(tmp_path, _source(lines))
    assert not text
    assert "which tensors that are is not seen here" in str(why)
