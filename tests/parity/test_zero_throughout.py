"""An input that is 0 throughout, as a row of padding: a norm without a guard divides by it."""

import pytest
import tensorflow as tf
import torch

from porting import check
from porting.registry import ops
from tf_impl import safe_norm as tf_norm
from torch_impl import safe_norm as torch_norm


class Norm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, axis):
        ctx.save_for_backward(x)
        ctx.axis = axis
        return torch_norm(x, axis=axis)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy.unsqueeze(ctx.axis) * (x / torch_norm(x, axis=ctx.axis).unsqueeze(ctx.axis)), None


def unguarded_torch(x, *, axis):
    return Norm.apply(x, axis)


def unguarded_tf(x, *, axis):
    @tf.custom_gradient
    def norm(x):
        return tf_norm(
            x, axis=axis
        ), lambda dy: tf.expand_dims(dy, axis) * (x / tf.expand_dims(tf_norm(x, axis=axis), axis))

    return norm(x)


@pytest.mark.parametrize(("side", "twin"), [("torch", unguarded_torch), ("tf", unguarded_tf)], ids=["torch", "tf"])
def test_a_norm_without_a_guard_is_found(side, twin):
    def found(op):
        report = check(op, runners=[side], dtypes=["float64"], only=["vjp", "coincidences"])
        return {r.check for r in report.results if r.status == "differ"}

    op = ops()["safe_norm"]
    assert found(op.bind(**{side: twin})) == {"coincidences"}
    assert found(op) == set()
