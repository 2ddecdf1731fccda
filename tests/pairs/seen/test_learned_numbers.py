"""A bound that both sides learn is no number of Python, although both take one.

Seen in code of public repositories: fake quantization with trainable limits.
"""

import pytest

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


class Clip(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, min_val, max_val):
        ctx.save_for_backward(x, min_val, max_val)
        return torch.minimum(torch.maximum(x, min_val), max_val)

    @staticmethod
    def backward(ctx, dy):
        x, low, high = ctx.saved_tensors
        inside = (x >= low) & (x <= high)
        below, above = (dy * (x < low)).sum(), (dy * (x > high)).sum()
        return dy * inside, below.reshape(low.shape), above.reshape(high.shape)


def clip(x, min_val, max_val):
    return Clip.apply(*map(torch.as_tensor, (x, min_val, max_val)))


def _clip_of(factor):
    @tf.custom_gradient
    def clip_tf(x, min_val, max_val):
        low, high = (tf.cast(v, x.dtype) for v in (min_val, max_val))

        def grad(dy):
            inside = tf.cast((x >= low) & (x <= high), x.dtype)
            below = tf.reduce_sum(dy * tf.cast(x < low, x.dtype))
            above = factor * tf.reduce_sum(dy * tf.cast(x > high, x.dtype))
            return dy * inside, below, above

        return tf.minimum(tf.maximum(x, low), high), grad

    return clip_tf


@pytest.mark.parametrize(("factor", "wrong"), [(1, set()), (3, {"torch", "tf"})])
def test_its_gradient_is_compared(factor, wrong):
    report = porting.check(Pair(torch=clip, tf=_clip_of(factor)), only=["value", "vjp"], dtypes=["float64"])
    assert "min_val, max_val have a gradient on all sides" in report.described[0], report.described
    assert {r.runner for r in report.results if r.status == "differ"} == wrong, str(report)
