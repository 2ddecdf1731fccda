"""A number at its default that the backward returns a gradient for: everybody gives it by place."""

import pytest
import tensorflow as tf
import torch

import porting
from porting import Pair
from tests.judged import accused


class Reverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.scale = scale
        return x.clone()

    @staticmethod
    def backward(ctx, dy):
        return -ctx.scale * dy, None


def reverse(x, scale=1.0):
    return Reverse.apply(x, scale)


@tf.custom_gradient
def reverse_tf(x, scale=1.0):
    return tf.identity(x), lambda dy: (-scale * dy, None)


@tf.custom_gradient
def reverse_twice_as_far(x, scale=1.0):
    return tf.identity(x), lambda dy: (-2 * scale * dy, None)


@tf.custom_gradient
def reverse_and_one_more(x, scale=1.0):
    return tf.identity(x), lambda dy: (-scale * dy, None, None)


def test_it_is_given_what_its_default_is_and_said():
    sides, report = accused(Pair(torch=reverse, tf=reverse_tf), only=["value", "vjp"])
    assert not sides, str(report)
    assert "scale left out" in report.described[0], report.described
    assert "--static scale=1.0" in report.described[0], report.described


@pytest.mark.parametrize(
    ("wrong", "cause"), [(reverse_twice_as_far, "constant_factor"), (reverse_and_one_more, "wrong_count")]
)
def test_what_is_wrong_besides_is_found(wrong, cause):
    report = porting.check(Pair(torch=reverse, tf=wrong), only=["value", "vjp"])
    assert cause in {d.cause for d in report.diagnoses if d.runner == "tf"}, str(report)
