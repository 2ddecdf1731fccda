"""A class such as Round or Lambda gives no function that hides one of Python's own, or that cannot be typed."""

import numpy as np
import pytest
import tensorflow as tf

from porting.port.discover import units_of
from porting.port.one import port

SOURCE = '''import torch


class {title}(torch.autograd.Function):
    """Round a tensor.

    Usage: {title}.apply(x). The gradient goes straight through.
    """

    @staticmethod
    def forward(ctx, x):
        return torch.round(x)

    @staticmethod
    def backward(ctx, dy):
        return 2.0 * dy
'''


def ported(tmp_path, title, to):
    path = tmp_path / "theirs.py"
    path.write_text(SOURCE.format(title=title))
    (unit,) = units_of(path, "", to)
    return port(unit, check=False)


@pytest.mark.parametrize(
    ("title", "name"), [("Round", "round_"), ("Lambda", "lambda_"), ("HashFunction", "hash_"), ("Rounding", "rounding")]
)
def test_it_has_a_name_of_its_own(title, name, tmp_path):
    made = ported(tmp_path, title, "tf")
    assert made.called == name
    ours = {"__name__": "ours"}
    exec(made.text, ours)  # noqa: S102 - what the translator wrote
    with tf.GradientTape() as tape:
        x = tf.constant([0.4, 1.6])
        tape.watch(x)
        y = ours[name](x)
    np.testing.assert_allclose(y, [0.0, 2.0])
    np.testing.assert_allclose(tape.gradient(y, x), [2.0, 2.0])


def test_so_has_a_draft_of_an_oracle(tmp_path):
    text = ported(tmp_path, "Lambda", "numpy").text
    assert "def lambda_(x):" in text
    assert "def lambda_vjp(dy, y, x):" in text


def test_how_the_class_is_called_is_left_out_of_its_docstring(tmp_path):
    text = ported(tmp_path, "Round", "tf").text
    assert '"""Round a tensor. The gradient goes straight through."""' in text
