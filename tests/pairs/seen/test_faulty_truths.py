"""The other side stands in for the truth: where it breaks a law by itself, its gradient is no measure of this one.

Seen in code of public repositories.
"""

import dataclasses

import pytest
from everyday import ANY, WIDEST, causes

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from functions import function  # noqa: E402 - needs PyTorch

TWO = {"x": porting.array(), "t": porting.array()}


def square_times(gradient):
    """Return x² t in PyTorch, t a constant, with a gradient of x."""
    return function(lambda x, t: x * x * t, lambda dy, x, t: (gradient(dy, x, t), None))


def times_a_constant(x, t):
    return x * x * tf.stop_gradient(t)


def without_dy(dy, x, t):
    return 2 * x * t


@pytest.mark.slow
@pytest.mark.parametrize("asked", [{}, {"runners": ["tf"], "only": ["second_order"]}])
def test_a_side_is_not_told_the_number_of_one_that_ignores_its_cotangent(asked):
    report = porting.check(Pair(torch=square_times(without_dy), tf=times_a_constant, inputs=TWO), **WIDEST, **asked)
    assert causes(report, "tf")[0] == "detached", str(report)
    assert "forward_gradient_disagree" not in causes(report, "tf"), str(report)
    assert asked or causes(report, "torch")[0] == "ignores_cotangent", str(report)


def test_who_is_said_to_be_right_is_not_doubted():
    pair = Pair(torch=square_times(without_dy), tf=times_a_constant, inputs=TWO, reference="torch")
    report = porting.check(pair, **WIDEST, only=["vjp"])
    assert causes(report, "tf"), str(report)


def test_a_wrong_gradient_that_is_linear_is_still_named():
    twice = square_times(lambda dy, x, t: 4 * x * t * dy)
    report = porting.check(Pair(torch=twice, tf=times_a_constant, inputs=TWO), **WIDEST, only=["vjp"])
    assert causes(report, "torch")[0] == causes(report, "tf")[0] == "constant_factor", str(report)


# What is wrong everywhere is no branch, in whatever check it is seen.


@pytest.mark.parametrize(
    ("right", "branch"), [(lambda x: 6 * x, False), (lambda x: tf.where(tf.abs(x) > 20, 6 * x, 2 * x), True)]
)
def test_a_value_that_is_wrong_everywhere_has_no_threshold(right, branch):
    six = tf.custom_gradient(lambda x: (right(x), lambda dy: 6 * dy))
    pair = Pair(torch=function(lambda x: 2 * x, lambda dy, x: 6 * dy), tf=six, inputs=ANY)
    report = porting.check(pair, **WIDEST, only=["special_values"])
    found = {(r.runner, r.check) for r in report.results if r.status == "differ"}
    assert found == {("torch", "special_values"), ("tf", "special_values")}, str(report)
    assert ("wrong_branch" in causes(report, "torch")) == branch, str(report)


# Where no cause is known, it is said so, of both sides.

UNKNOWN = "If {} is right: what is wrong on the {} side has no known cause."


def test_a_disagreement_without_a_cause_is_settled_by_words():
    report = porting.check(Pair(torch=lambda x: 2 * x, tf=lambda x: 6 * x, inputs=ANY), **WIDEST, only=["value"])
    (message,) = dataclasses.replace(report, diagnoses=()).messages
    assert UNKNOWN.format("TensorFlow", "torch") in message
    assert UNKNOWN.format("PyTorch", "tf") in message
    assert "To settle it: say who is right, --reference torch or tf" in message


def test_each_side_has_its_own_condition():
    pair = Pair(torch=lambda x: 2 * x, tf=lambda x: 6 * tf.sin(x), inputs=ANY)
    report = porting.check(pair, **WIDEST, only=["value"])
    one = tuple(d for d in report.diagnoses if d.runner == "tf")
    assert [d.cause for d in one] == ["wrong_value"]
    (both,), (half,) = report.messages, dataclasses.replace(report, diagnoses=one).messages
    assert both.count("If PyTorch is right: The forward") == both.count("If TensorFlow is right: The forward") == 1
    assert "no known cause" not in both
    assert half.count("If PyTorch is right: The forward") == 1
    assert half.count(UNKNOWN.format("TensorFlow", "torch")) == 1
    assert half.count("To settle it") == both.count("To settle it") == 1
