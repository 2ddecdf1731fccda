"""A tensor that a Function of PyTorch gives no gradient gets none in TensorFlow, which records what is inside."""

import numpy as np
import pytest
import tensorflow as tf

from porting.port.discover import units_of
from porting.port.one import port

SOURCE = """import torch


class Mine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, other):
        {kept}
        return {value}

    @staticmethod
    def backward(ctx, dy):
        return 3 * dy, None
"""
FORMS = [
    ("ctx.save_for_backward(other)", "x * other"),
    ("ctx.save_for_backward(other)", "torch.where(x > 0, x, other.sin())"),
    ("pass", "x + other.detach()"),
    ("z = 2 * other.clone()", "torch.sin(x) * z"),
    ("pass", "other"),
]


@pytest.mark.parametrize("way", [lambda f: f, tf.function], ids=["eager", "in a graph"])
@pytest.mark.parametrize(("kept", "value"), FORMS)
def test_it_gets_none_whatever_is_watched(tmp_path, kept, value, way):
    path = tmp_path / "theirs.py"
    path.write_text(SOURCE.format(kept=kept, value=value), encoding="utf-8")
    (unit,) = units_of(path, "Mine", "tf")
    found = {"__name__": "theirs"}
    exec(port(unit, check=False).text, found)  # noqa: S102 - what the translator wrote
    x, other = tf.constant([0.5, -1.0]), tf.constant([2.0, 3.0])

    @way
    def gradients(x, other):
        with tf.GradientTape(persistent=True) as alone, tf.GradientTape(persistent=True) as both:
            alone.watch(other)
            both.watch([x, other])
            y = found["mine"](x, other)
        return [
            tf.constant(np.nan) if g is None else g
            for g in (alone.gradient(y, other), both.gradient(y, other), both.gradient(y, x))
        ]

    one, two, by_x = gradients(x, other)
    assert np.isnan(one.numpy()).all()
    assert np.isnan(two.numpy()).all()
    np.testing.assert_allclose(by_x, 3.0)
