"""A declared domain is kept: no tolerance asks a side beyond its end, where it raises.

Seen in code of public repositories.
"""

import pytest
from everyday import WIDEST
from judged import accused_by

from porting import Pair, array

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from functions import function  # noqa: E402 - needs PyTorch

UNIT = {"x": array(("n", "k"), domain=(0.0, 1.0))}


def rounded(x):
    assert torch.all(x >= 0)
    assert torch.all(x <= 1)
    return torch.round(15 * x) / 15


def rounded_tf(factor):
    @tf.custom_gradient
    def op(x):
        tf.debugging.assert_greater_equal(x, tf.zeros([], x.dtype))
        tf.debugging.assert_less_equal(x, tf.ones([], x.dtype))
        return tf.round(15 * x) / 15, lambda dy: factor * dy

    return op


def pair(factor):
    return Pair(torch=function(rounded, lambda dy, x: dy), tf=rounded_tf(factor), inputs=UNIT)


@pytest.mark.parametrize("factor", [1 / 15, 1.01])
def test_a_fault_within_the_domain_is_found(factor):
    found, report = accused_by(pair(factor), **WIDEST, only=["vjp"])
    assert found, str(report)


def test_a_right_one_is_not_accused():
    found, report = accused_by(pair(1.0), **WIDEST)
    assert not found, str(report)
    assert {r.status for r in report.results if r.check == "vjp"} == {"agree"}, str(report)


def test_where_nothing_is_said_shares_of_one_are_found_by_trying():
    guessed = Pair(torch=function(rounded, lambda dy, x: dy), tf=rounded_tf(1.0)).guess()
    assert guessed is not None
    assert [a.domain for a in guessed.pair.inputs.values()] == [(0.1, 0.9)], guessed
