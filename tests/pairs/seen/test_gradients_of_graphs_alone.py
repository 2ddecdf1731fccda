"""Gradients that act where a graph is made, and not eagerly: TensorFlow 1's gradient_override_map.

Seen in code of public repositories.
"""

import pytest
from everyday import WIDEST, causes, differing

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from functions import function  # noqa: E402 - needs PyTorch

CHECKS = ["value", "vjp", "traced", "large"]
flip = function(lambda x: x.view_as(x), lambda dy, x: -dy)
twice = function(lambda x: x.view_as(x), lambda dy, x: -2 * dy)


@tf.RegisterGradient("TestFlipped")
def flipped(op, dy):
    return -dy


def override(x):
    with tf.compat.v1.get_default_graph().gradient_override_map({"Identity": "TestFlipped"}):
        return tf.identity(x)


def plainly(x):
    return tf.identity(x)


@pytest.mark.parametrize("side", [flip, twice])
def test_an_override_that_does_not_act_eagerly_is_said_and_nobody_else_is_accused(side):
    report = porting.check(Pair(torch=side, tf=override), **WIDEST, only=CHECKS)
    assert causes(report, "tf")[0] == "eager_gradient", str(report)
    assert "in a tf.function, " in report.diagnoses[0].seen
    assert {runner for runner, _ in differing(report)} == {"tf"}, str(report)
    assert "If PyTorch is right" not in str(report)


def test_in_a_function_the_override_acts_and_agrees():
    report = porting.check(Pair(torch=flip, tf=tf.function(override)), **WIDEST, only=CHECKS)
    assert not differing(report), str(report)


def test_without_an_override_the_sign_is_a_question_of_who_is_right():
    report = porting.check(Pair(torch=flip, tf=plainly), **WIDEST, only=CHECKS)
    assert [causes(report, side)[0] for side in ("torch", "tf")] == ["wrong_sign", "wrong_sign"], str(report)
