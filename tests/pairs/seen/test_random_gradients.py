"""A gradient that draws random numbers is compared with no other one: no tolerance is known for it.

Seen in code of public repositories.
"""

import pytest
from everyday import ANY, WIDEST

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from functions import function  # noqa: E402 - needs PyTorch


@tf.custom_gradient
def masked(x):
    return tf.identity(x), lambda dy: dy * (1 + tf.random.normal(tf.shape(dy), dtype=dy.dtype))


def noisy(dy, x):
    return dy * (1 + torch.randn_like(dy))


CHECKS = ["value", "vjp", "large", "repeated"]


def test_nothing_agrees_with_it():
    pair = Pair(torch=function(lambda x: 1 * x, lambda dy, x: 3 * dy), tf=masked, inputs=ANY)
    report = porting.check(pair, **WIDEST, only=CHECKS)
    asked = {(r.check, r.status, r.note) for r in report.results if r.runner == "torch"}
    assert ("value", "agree") in {(check, status) for check, status, _ in asked}, str(report)
    said = "TensorFlow's gradient draws random numbers; pass the noise as an input"
    assert {("vjp", "no verdict", said), ("large", "no verdict", said)} <= asked, str(report)
    assert ("tf", "repeated") in {(r.runner, r.check) for r in report.results if r.status == "differ"}, str(report)


@pytest.mark.parametrize(("factor", "differ"), [(1, 0), (3, 2)])
def test_one_that_makes_the_same_of_the_same_numbers_is_compared(factor, differ):
    pair = Pair(torch=function(lambda x: 1 * x, lambda dy, x: factor * noisy(dy, x)), tf=masked, inputs=ANY)
    report = porting.check(pair, **WIDEST, only=["value", "vjp"])
    assert report.counts["differ"] == differ, str(report)
