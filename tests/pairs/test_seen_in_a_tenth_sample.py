"""What was said falsely of strangers' code the tenth time; in its shape."""

import numpy as np
import pytest
from judged import accused_by, first_cause

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from functions import function  # noqa: E402 - needs PyTorch

ANY = {"x": porting.array()}
EVERYDAY = ["value", "vjp", "adjoint", "linear", "special_values", "inputs_unchanged"]
CHECKS = {"dtypes": ["float64"], "only": EVERYDAY}


def causes(report, runner):
    return [d.cause for d in report.diagnoses if d.runner == runner]


# A scale that is kept in float32: numbers of float64 with the digits of float32.


def scaled(dy, x):
    return dy * (1 - torch.tanh(x) ** 2) / torch.sqrt((x * x).sum() + 1).float()


NARROW_SCALE = function(torch.tanh, scaled)


def scaled_tf(factor=1.0):
    @tf.custom_gradient
    def op(x):
        y = tf.tanh(x)
        return y, lambda dy: factor * dy * (1 - y**2) / tf.sqrt(tf.reduce_sum(x * x) + 1)

    return op


def test_a_port_is_not_accused_of_the_digits_of_its_reference():
    found, report = accused_by(Pair(torch=NARROW_SCALE, tf=scaled_tf(), inputs=ANY, reference="torch"), **CHECKS)
    assert not found, str(report)
    (result,) = [r for r in report.results if (r.runner, r.check) == ("tf", "vjp")]
    assert (result.status, "computes in float32" in result.note) == ("no verdict", True)


def test_a_port_that_is_one_per_cent_off_is_found_all_the_same():
    pair = Pair(torch=NARROW_SCALE, tf=scaled_tf(1.01), inputs=ANY, reference="torch")
    assert first_cause(pair, "tf", **CHECKS) == "constant_factor"


def test_the_side_that_loses_the_digits_is_told_without_a_reference():
    found, report = accused_by(Pair(torch=NARROW_SCALE, tf=scaled_tf(), inputs=ANY), **CHECKS)
    assert found == {("torch", "vjp"), ("torch", "special_values")}, str(report)
    assert causes(report, "torch")[0] == "precision_loss"
    (result,) = [r for r in report.results if (r.runner, r.check) == ("torch", "vjp")]
    assert result.findings[0].has(noisy="got")


def test_a_term_that_is_wrong_in_the_tenth_digit_is_no_rounding():
    def forward(x):
        return tf.sqrt(1 + x * x) * (1 + 1e-11 * x)

    pair = Pair(torch=lambda x: torch.sqrt(1 + x * x), tf=forward, inputs=ANY, reference="torch")
    assert first_cause(pair, "tf", **CHECKS) != "precision_loss"


# Two backwards that draw random numbers.


def test_two_sides_that_draw_in_the_backward_are_compared_in_nothing_else():
    drawn = function(torch.sin, lambda dy, x: dy * torch.cos(x) + torch.randn_like(x))

    @tf.custom_gradient
    def drawn_tf(x):
        return tf.sin(x), lambda dy: dy * tf.cos(x) + tf.random.normal(tf.shape(x), dtype=x.dtype)

    for reference in (None, "torch"):
        pair = Pair(torch=drawn, tf=drawn_tf, inputs=ANY, reference=reference)
        report = porting.check(pair, dtypes=["float64"], only=["vjp", "large", "repeated", "global_state"])
        assert next(iter(report.diagnoses)).cause == "random_backward", str(report)
        assert not {d.cause for d in report.diagnoses} & {"few_elements", "global_state", "precision_loss"}, str(report)
        assert not any(r.status == "differ" for r in report.results if r.check in {"vjp", "large"}), str(report)


# Numbers next to nothing, divided.


def test_what_is_smaller_than_any_normal_number_accuses_nobody():
    pair = Pair(
        torch=lambda x: torch.floor(x / 1.7) * 1.7 + torch.sin(x),
        tf=lambda x: tf.floor(x / 1.7) * 1.7 + tf.sin(x),
        inputs=ANY,
    )
    report = porting.check(pair, dtypes=["float32", "float64"], only=["special_values", "value", "vjp"])
    assert report.exit_code == 0, str(report)


# Outputs of other shapes: the cotangent is the other side's.


def test_a_gradient_is_not_accused_of_a_cotangent_of_another_shape():
    pair = Pair(
        torch=lambda x: (x * x).sum(-1),
        tf=lambda x: tf.reduce_sum(x * x),
        inputs={"x": porting.array(("n", "k"))},
    )
    report = porting.check(pair, dtypes=["float64"], only=["value", "vjp", "raw_gradient"])
    assert report.exit_code == 1
    assert "wrong_shape" not in {d.cause for d in report.diagnoses}, str(report)


# What is wrong everywhere.


def test_what_is_wrong_everywhere_is_not_explained_by_what_is_far_out():
    def far(x):
        return torch.exp(x) / (1 + torch.exp(x))

    def wrong(x):
        return tf.exp(x) / (2 + tf.exp(x))

    report = porting.check(Pair(torch=far, tf=wrong, inputs=ANY), **CHECKS)
    assert report.exit_code == 1
    assert all(causes(report, runner)[0] != "overflow" for runner in ("torch", "tf")), str(report)
    assert np.all([r.status != "agree" for r in report.results if r.check == "vjp" and r.runner == "tf"])
