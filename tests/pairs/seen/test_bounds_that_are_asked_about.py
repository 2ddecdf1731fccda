"""Bounds that a function asks about, as ``assert low >= 0`` does: numbers of Python, in order, and nothing hidden.

Seen in code of public repositories.
"""

import pytest
from everyday import WIDEST, causes, differing

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")

CHECKS = {"only": ["value", "vjp", "traced"], **WIDEST}


class ClampAbs(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, min, max):  # noqa: A002 - as people write it
        assert min >= 0
        assert max >= 0
        return torch.sign(x) * x.abs().clamp(min=float(min), max=float(max))

    @staticmethod
    def backward(ctx, dy):
        return dy, None, None


def clamp_abs_tf(least):
    def clamp_abs(x, min, max):  # noqa: A002
        assert min >= 0
        assert max >= 0

        @tf.custom_gradient
        def held(x):
            low, high = tf.cast(min, x.dtype), tf.cast(max, x.dtype)
            return tf.sign(x) * tf.clip_by_value(tf.abs(x), least(low, high), high), lambda dy: dy

        return held(x)

    return clamp_abs


def test_numbers_of_python_are_taken_where_a_graph_refuses_arrays():
    report = porting.check(Pair(torch=ClampAbs, tf=clamp_abs_tf(lambda low, high: low)), **CHECKS)
    assert not differing(report), str(report)
    assert "min=1.5, max=2.5" in report.described[0]
    assert {r.status for r in report.results if r.check == "traced"} <= {"agree", "not applicable"}


def test_a_fault_below_the_lower_bound_is_found():
    report = porting.check(Pair(torch=ClampAbs, tf=clamp_abs_tf(lambda low, high: low / 2)), **CHECKS)
    assert "wrong_value" in causes(report, "tf"), str(report)


def learned(x, min, max):  # noqa: A002
    assert min >= 0
    assert max >= 0
    return torch.minimum(torch.maximum(x, min), max)


def learned_tf(x, min, max):  # noqa: A002
    assert min >= 0
    assert max >= 0
    return tf.maximum(tf.minimum(x, max), min)  # which differs where the bounds are crossed


def test_positive_bounds_that_are_learned_are_drawn_in_order():
    report = porting.check(Pair(torch=learned, tf=learned_tf), only=["value", "vjp"], **WIDEST)
    assert not differing(report), str(report)
    assert "{0.1..0.5}" in report.described[0]
    assert "{2.0..10.0}" in report.described[0]
