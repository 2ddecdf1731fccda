"""Writes to parts of a tensor: with steps, by numbers of a later axis, and where a mask counts the elements."""

import numpy as np
import pytest
from against_source import same_numbers, text_of

_SOURCE = """import numpy as np
import torch


class Mine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        at = torch.triu(torch.ones(2, 3)).flatten().nonzero()
        rows = torch.tensor([True, False, True])
        at_host = np.arange(5, 1, -2)
        ctx.save_for_backward(x, w, at)
        y = x * w
        {line}
        return y

    @staticmethod
    def backward(ctx, dy):
        x, w, at = ctx.saved_tensors
        rows = torch.tensor([True, False, True])
        at_host = np.arange(5, 1, -2)
        y = dy * w
        {line}
        return y, dy * x
"""
_LINES = {
    "y[:, ::2] = x[:, 1::2]": "y = _put(y, _places_of(y)[:, ::2], x[:, 1::2])",
    "y[::2, 1::3] += 0.5": "y = _put(y, _places_of(y)[::2, 1::3], y[::2, 1::3] + 0.5)",
    "y[1:, 2:4] = w[0, 0]": "y = _put(y, _places_of(y)[1:, 2:4], w[0, 0])",
    "y[1, 0:4:2] *= 3": "y = _put(y, _places_of(y)[1, 0:4:2], y[1, 0:4:2] * 3)",
    "y[:, at] = x[:, at] ** 2": "tf.gather(_places_of(y), at, axis=1)",
    "y[:, at] = 0.25": "tf.gather(_places_of(y), at, axis=1), 0.25)",
    "y[:, at_host] = x[:, at_host]": "tf.gather(_places_of(y), at_host, axis=1), tf.gather(x, at_host, axis=1))",
    "y[x > 0.3] = w[0, 0]": "tf.boolean_mask(_places_of(y), x > 0.3), w[0, 0])",
    "y[x > 0.3] = x[x > 0.3].flip(0)": "tf.boolean_mask(_places_of(y), x > 0.3)",
    "y[x > 0.3] = x[x > 0.3].exp() - torch.sin(w[x > 0.3])": "y = tf.where(x > 0.3, tf.exp(x) - tf.sin(w), y)",
    "y[x > 0.3] = x[x > 0.3] - x[x > 0.3][0]": "tf.boolean_mask(_places_of(y), x > 0.3)",
    "y[x > 0.3] = x[x > 0.3] / x[x > 0.3].sum()": "tf.boolean_mask(_places_of(y), x > 0.3)",
    "y[rows, :] = 0.5": "y = _put(y, tf.boolean_mask(_places_of(y), rows), 0.5)",
}


@pytest.mark.parametrize("line", _LINES)
def test_a_part_that_can_be_read_can_be_written(line, tmp_path):
    rng = np.random.default_rng(5)
    text = same_numbers(tmp_path, _SOURCE.format(line=line), rng.normal(size=(3, 6)), rng.normal(size=(3, 6)))
    assert _LINES[line] in " ".join(text.split())


def test_a_name_for_the_places_is_the_same(tmp_path):
    line = "places = at; y[:, at] = x[:, places]"
    rng = np.random.default_rng(5)
    same_numbers(tmp_path, _SOURCE.format(line=line), rng.normal(size=(3, 6)), rng.normal(size=(3, 6)))


@pytest.mark.parametrize("line", ["y[:, [0, 2]] = 0.5", "y[rows, at] = 0.5"])
def test_a_part_that_is_not_seen_is_refused(line, tmp_path):
    text, why = text_of(tmp_path, _SOURCE.format(line=line))
    assert not text
    assert why
