"""Numbers that are too large or too small for their type explain only what is wrong there.

Seen in code of public repositories.
"""

import numpy as np
import pytest
from everyday import ANY, CHECKS_AND_INPUTS, WIDEST, causes
from judged import accused, accused_by, first_cause

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from functions import function  # noqa: E402 - needs PyTorch


def test_a_product_that_one_side_flushes_to_zero_turns_no_branch():
    class ClampWithGrad(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x.clamp(0, 1)

        @staticmethod
        def backward(ctx, dy):
            (x,) = ctx.saved_tensors
            return dy * (dy * (x - x.clamp(0, 1)) >= 0)

    @tf.custom_gradient
    def clamp_with_grad(x):
        def vjp(dy):
            return dy * tf.cast(dy * (x - tf.clip_by_value(x, 0, 1)) >= 0, dy.dtype)

        return tf.clip_by_value(x, 0, 1), vjp

    asked = {"only": ["special_values"], "dtypes": ["float32"]}
    for seed in range(5):
        found, report = accused(Pair(torch=ClampWithGrad, tf=clamp_with_grad), seed=seed, **asked)
        assert not found, str(report)


# Numbers that a processor takes for 0, and squares that are 0.


def test_a_power_of_a_subnormal_number_is_not_compared_with_a_side_that_flushes_it():
    root = function(torch.sqrt, lambda dy, x: dy / (2 * torch.sqrt(x)))
    report = porting.check(Pair(torch=root, tf=tf.sqrt, inputs=ANY), dtypes=["float64"], only=["whole_range"])
    assert report.exit_code == 0
    assert {r.status for r in report.results} == {"agree"}, str(report)


def test_a_tiny_number_whose_square_is_0_overflows_nothing():
    size = function(torch.abs, lambda dy, x: dy * torch.where(x == 0, 0.0, x / x.square().sqrt()))
    pair = Pair(torch=size, like=torch.abs, inputs=ANY)
    report = porting.check(pair, dtypes=["float64"], only=["value", "vjp", "special_values"])
    assert "overflow" not in causes(report, "torch"), str(report)


# Numbers next to nothing, divided.


def test_what_is_smaller_than_any_normal_number_accuses_nobody():
    pair = Pair(
        torch=lambda x: torch.floor(x / 1.7) * 1.7 + torch.sin(x),
        tf=lambda x: tf.floor(x / 1.7) * 1.7 + tf.sin(x),
        inputs=ANY,
    )
    report = porting.check(pair, dtypes=["float32", "float64"], only=["special_values", "value", "vjp"])
    assert report.exit_code == 0, str(report)


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
    assert causes(report, "tf") == ["precision_loss"]


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


# What is too large.


@tf.custom_gradient
def cross_entropy(x, label):
    e = tf.exp(x)
    total = tf.reduce_sum(e, -1)
    dx = e / total[..., None] - label
    return tf.math.log(total) - tf.reduce_sum(x * label, -1), lambda dy: (dx * dy[..., None], tf.zeros_like(label))


def test_an_exponential_that_is_too_large_is_an_overflow():
    class CrossEntropy(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, label):
            ctx.save_for_backward(x, label)
            return torch.logsumexp(x, -1) - (x * label).sum(-1)

        @staticmethod
        def backward(ctx, dy):
            x, label = ctx.saved_tensors
            return (torch.softmax(x, -1) - label) * dy[..., None], None

    inputs = {"x": porting.array(("m", "n")), "label": porting.array(("m", "n"), domain=(0, 1))}
    pair = Pair(torch=CrossEntropy, tf=cross_entropy, inputs=inputs, reference="torch")
    assert first_cause(pair, "tf") == "overflow"


def by_exponentials(x):
    return (torch.exp(x) - torch.exp(-x)) / (torch.exp(x) + torch.exp(-x))


def test_a_value_that_is_not_a_number_far_out_is_no_other_function():
    assert first_cause(Pair(torch=by_exponentials, tf=tf.tanh, reference="tf"), "torch") == "overflow"


# What is wrong everywhere.


def test_what_is_wrong_everywhere_is_not_explained_by_what_is_far_out():
    def far(x):
        return torch.exp(x) / (1 + torch.exp(x))

    def wrong(x):
        return tf.exp(x) / (2 + tf.exp(x))

    report = porting.check(Pair(torch=far, tf=wrong, inputs=ANY), **CHECKS_AND_INPUTS)
    assert report.exit_code == 1
    assert all(causes(report, runner)[0] != "overflow" for runner in ("torch", "tf")), str(report)
    assert np.all([r.status != "agree" for r in report.results if r.check == "vjp" and r.runner == "tf"])


@pytest.mark.parametrize("stable", [False, True])
def test_two_sides_overflow_of_which_one_takes_float32_only(stable):
    """The wide one is compared with the narrow one in float32 and agrees: it overflows as well."""

    def sigmoid(x):
        e = torch.exp(x)
        return torch.sigmoid(x) if stable else e / (1 + e)

    @tf.custom_gradient
    def narrow(x):
        e, one = tf.exp(x), tf.constant(1.0)
        s = tf.sigmoid(x)
        return e / (one + e), lambda dy: dy * s * (one - s)

    side = function(sigmoid, lambda dy, x: dy * torch.sigmoid(x) * torch.sigmoid(-x))
    report = porting.check(Pair(torch=side, tf=narrow), only=["value", "vjp", "special_values"])
    found = {(r.runner, r.check, r.dtype) for r in report.results if r.status == "differ"}
    assert (("tf", "special_values", "float32") in found) == stable, str(report)
    assert stable or not found, str(report)


# exp(-720) is smaller than any normal number of float64: 0 to TensorFlow.


def log_mean_exp(x):
    return tf.math.log(tf.reduce_mean(tf.exp(x), -1))


@pytest.mark.parametrize("reference", [None, "torch"])
@pytest.mark.parametrize("stable", [False, True])
def test_what_is_lost_sooner_on_a_side_is_no_fault_unless_the_other_side_keeps_it(stable, reference):
    def mean(x):
        return torch.logsumexp(x, -1) - np.log(x.shape[-1]) if stable else x.exp().mean(-1).log()

    inputs = {"x": porting.array(("n", 1))}
    pair = Pair(torch=mean, tf=log_mean_exp, inputs=inputs, reference=reference)
    found, report = accused_by(pair, only=["value", "vjp", "special_values"])
    assert found == ({("tf", "special_values")} if stable else set()), str(report)
    assert ("overflow" in causes(report, "tf")) == stable, str(report)


# A quotient by zero is infinite at one number, and nowhere near it: nothing overflows there.


def pole(guarded):
    def slope(dy, x):
        return -dy / torch.where(x == 1, 1.0, 1 - x) * (x != 1) if guarded else -dy / (1 - x)

    return function(lambda x: (1 - x).abs().clamp(min=1e-30).log(), slope)


@tf.custom_gradient
def pole_tf(x):
    away = tf.where(x == 1, tf.ones_like(x), 1 - x)
    return tf.math.log(tf.maximum(tf.abs(1 - x), 1e-30)), lambda dy: tf.where(x == 1, tf.zeros_like(dy), -dy / away)


def test_a_quotient_by_zero_does_not_overflow():
    asked = {**WIDEST, "only": ["value", "vjp", "special_values"]}
    assert first_cause(Pair(torch=pole(guarded=False), tf=pole_tf, inputs=ANY, reference="tf"), "torch", **asked) == (
        "zero_times_infinity"
    )
    assert not accused_by(Pair(torch=pole(guarded=True), tf=pole_tf, inputs=ANY, reference="tf"), **asked)[0]


def test_where_the_forward_is_infinite_too_no_cause_is_named_for_the_gradient():
    inverse = function(lambda x: 1 / (1 - x), lambda dy, x: dy * (1 - x) ** -2)

    @tf.custom_gradient
    def guarded(x):
        away = tf.where(x == 1, tf.ones_like(x), 1 - x)
        return tf.where(x == 1, 0 * x, 1 / away), lambda dy: tf.where(x == 1, 0 * dy, dy / away**2)

    pair = Pair(torch=inverse, tf=guarded, inputs=ANY, reference="tf")
    found, report = accused_by(pair, **WIDEST, only=["value", "vjp", "special_values"])
    assert ("torch", "special_values") in found, str(report)
    assert not {"overflow", "zero_times_infinity"} & set(causes(report, "torch")), str(report)


# In float32 alone both sides overflow in a large array, which the other side does not in float64.


class Weighted(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        e = torch.exp(x.abs().sum(-1, keepdim=True))
        return x * e / (e + 1)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        e = torch.exp(x.abs().sum(-1, keepdim=True))
        p = e / (e + 1)
        return dy * p + (dy * x).sum(-1, keepdim=True) * p * (1 - p) * torch.sign(x)


def weighted_tf(of_sum):
    @tf.custom_gradient
    def weighted(x):
        p = of_sum(tf.reduce_sum(tf.abs(x), -1, keepdims=True))

        def grad(dy):
            return dy * p + tf.reduce_sum(dy * x, -1, keepdims=True) * p * (1 - p) * tf.sign(x)

        return x * p, grad

    return weighted


@pytest.mark.parametrize(
    ("of_sum", "status"), [(lambda s: tf.exp(s) / (tf.exp(s) + 1), "note"), (tf.sigmoid, "differ")]
)
def test_sides_that_overflow_together_in_float32_are_not_accused(of_sum, status):
    pair = Pair(torch=Weighted, tf=weighted_tf(of_sum), inputs={"x": porting.array(dtype="float32")})
    report = porting.check(pair, only=["value", "vjp", "adjoint", "linear", "finite", "large"])
    found = {r.runner: r.status for r in report.results if r.check == "large"}
    assert found["torch"] == status, str(report)
