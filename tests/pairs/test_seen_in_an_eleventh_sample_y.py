"""Causes that were not those of strangers' code the eleventh time; in its shape."""

import pytest
from judged import accused_by, first_cause

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from functions import function  # noqa: E402 - needs PyTorch

ANY = {"x": porting.array()}
WIDEST = {"dtypes": ["float64"]}


def causes(report, runner):
    return [d.cause for d in report.diagnoses if d.runner == runner]


# The square of a tiny number is 0, and x / 0 is infinite: nothing is 0 times infinity.


def norm(dy, x):
    y = torch.linalg.norm(x, dim=-1, keepdim=True)
    return dy * torch.where(y > 0, x / torch.where(y > 0, y, 1), 0)


NORM = function(lambda x: torch.linalg.norm(x, dim=-1, keepdim=True), norm)


@tf.custom_gradient
def underflowing_norm(x):
    y = tf.sqrt(tf.reduce_sum(x * x, axis=-1, keepdims=True))

    def backward(dy):
        g = x / y
        return dy * tf.where(tf.math.is_nan(g), tf.zeros_like(g), g)

    return y, backward


def test_what_underflows_is_no_zero_times_infinity():
    pair = Pair(torch=NORM, tf=underflowing_norm, inputs={"x": porting.array(("n", 1))}, reference="torch")
    found, report = accused_by(pair, **WIDEST, only=["vjp", "special_values"])
    assert ("tf", "special_values") in found, str(report)
    assert causes(report, "tf") == ["overflow"]


def test_a_mask_times_infinity_is_still_named():
    masked = function(lambda x: x.clamp(0) ** 0.5, lambda dy, x: (x > 0) * (dy / (2 * x.clamp(0).sqrt())))
    right = function(
        lambda x: x.clamp(0) ** 0.5, lambda dy, x: torch.where(x > 0, dy / (2 * torch.where(x > 0, x, 1).sqrt()), 0)
    )

    def root(x):
        return tf.sqrt(tf.where(x > 0, x, tf.ones_like(x))) * tf.cast(x > 0, x.dtype)

    asked = {**WIDEST, "only": ["vjp", "special_values"]}
    pair = Pair(torch=masked, tf=root, inputs=ANY, reference="tf")
    assert first_cause(pair, "torch", **asked) == "zero_times_infinity"
    assert not accused_by(Pair(torch=right, tf=root, inputs=ANY, reference="tf"), **asked)[0]
