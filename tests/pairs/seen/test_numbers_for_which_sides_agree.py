"""Numbers that nobody gave are those for which the values of the sides agree, if there are such; faults stay found.

Seen in code of public repositories.
"""

import pytest
from everyday import described
from judged import accused_by

from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")

QUICK = {"only": ["value", "vjp"], "dtypes": ["float64"]}


class Minifloat(torch.autograd.Function):
    """Rounded to as many bits as are left beside those of the exponent; the gradient is straight through."""

    factor = 1.0

    @staticmethod
    def forward(ctx, x, width: int, exponent_width: int):
        if width == exponent_width:
            return torch.zeros_like(x)
        levels = 2.0 ** (width - exponent_width)
        return torch.round(x * levels) / levels

    @classmethod
    def backward(cls, ctx, dy):
        return cls.factor * dy, None, None


class Doubled(Minifloat):
    factor = 2.0


def minifloat(x, width: int, exponent_width: int, off=0.0):
    @tf.custom_gradient
    def rounded(x):
        levels = 2.0 ** (width - exponent_width)
        return tf.round(x * levels) / levels + off, lambda dy: dy

    return rounded(x)


def minifloat_off(x, width: int, exponent_width: int):
    return minifloat(x, width, exponent_width, off=0.1)


def test_larger_numbers_are_taken_where_the_values_agree_only_then():
    report, said = described(Pair(torch=Minifloat, tf=minifloat))
    assert report.counts["differ"] == 0, str(report)
    assert "width=8, exponent_width=4" in said
    assert "with width=2, exponent_width=2 the sides have other values" in said


@pytest.mark.parametrize(("one", "other", "check"), [(Doubled, minifloat, "vjp"), (Minifloat, minifloat_off, "value")])
def test_what_is_wrong_for_any_numbers_is_found(one, other, check):
    found, report = accused_by(Pair(torch=one, tf=other), **QUICK)
    assert ("tf", check) in found, str(report)


# What is cast to a byte from beyond its ends is a number of each framework's own.


class Bytes(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, x_min, x_max):
        step = (x_max - x_min) / 255
        inside = ((x - x_min) / step).remainder(256).floor()
        return inside * step + x_min

    @staticmethod
    def backward(ctx, dy):
        return dy, None, None


@tf.custom_gradient
def clipped_bytes(x, x_min, x_max):
    step = (x_max - x_min) / 255
    inside = tf.floor(tf.clip_by_value((x - x_min) / step, 0, 255))
    return inside * step + x_min, lambda dy: (dy, None, None)


def test_inputs_lie_between_bounds_where_the_values_agree_only_there():
    report, said = described(Pair(torch=Bytes, tf=clipped_bytes, statics={}))
    assert report.counts["differ"] == 0, str(report)
    assert "beyond the bounds the sides have other values" in said


# What is clipped between 0 and a number below it.


class Capped(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, cap):
        ctx.save_for_backward(x, cap)
        if cap > 100:  # a number of no axes
            return x * 0
        return torch.minimum(x.clamp(min=0), cap)

    @staticmethod
    def backward(ctx, dy):
        x, cap = ctx.saved_tensors
        return dy * (x > 0) * (x < cap), (dy * (x >= cap)).sum()


@tf.custom_gradient
def capped(x, cap):
    def grad(dy):
        above = tf.cast(x >= cap, dy.dtype)
        return dy * tf.cast(x > 0, dy.dtype) * (1 - above), tf.reduce_sum(dy * above)

    return tf.maximum(tf.minimum(x, cap), 0), grad


def test_a_number_is_above_zero_where_the_values_agree_only_so():
    report, said = described(Pair(torch=Capped, tf=capped))
    assert report.counts["differ"] == 0, str(report)
    assert "with cap below 0 the sides have other values" in said
