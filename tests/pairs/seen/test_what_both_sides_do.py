"""What a side does on purpose, or as the other one does, is a note: float32 of float64, a refused second derivative.

Seen in code of public repositories.
"""

import pytest
from everyday import differing

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from porting.selftest.pairs.orders import Cube  # noqa: E402 - needs both frameworks

SECOND = {"only": ["second_order"], "dtypes": ["float64"]}


class Changed(Cube):
    """What is changed in place raises without meaning to."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        slope = x.sigmoid()
        dx = slope.sin() * 0 + 3 * x**2 * dy
        y = slope.exp()
        y.add_(1)
        return dx + (y - slope.exp() - 1)


@tf.custom_gradient
def cube(x):
    return x**3, lambda dy: 3 * x**2 * dy


@tf.custom_gradient
def cube_prevented(x):
    return x**3, lambda dy: tf.raw_ops.PreventGradient(input=3 * x**2 * dy, message="once")


def cube_like(x):
    return x**3


@pytest.mark.parametrize("tf_side", [cube, cube_prevented])
def test_a_second_derivative_may_be_refused_on_purpose(tf_side):
    report = porting.check(Pair(torch=Cube, tf=tf_side), **SECOND)
    assert not differing(report), str(report)
    assert {r.runner for r in report.results if r.status == "note"} >= {"torch"}
    assert differing(porting.check(Pair(torch=Cube, tf=tf_side), strict=True, **SECOND))


def test_so_it_may_beside_a_plain_version_or_alone():
    assert not differing(porting.check(Pair(torch=Cube, like=cube_like), **SECOND))
    assert not differing(porting.check(Pair(torch=Cube), **SECOND))


def test_what_raises_otherwise_is_a_fault():
    report = porting.check(Pair(torch=Changed, tf=cube), **SECOND)
    assert ("torch", "second_order") in differing(report), str(report)


def in_single(x):
    return x.to(torch.float32).sin()


def in_single_tf(x):
    return tf.sin(tf.cast(x, tf.float32))


def sine(x):
    return tf.sin(x)


@pytest.mark.slow
def test_both_answer_in_float32_where_float64_is_typed():
    inputs = {"x": porting.array(("n",), dtype="float64")}
    report = porting.check(Pair(torch=in_single, tf=in_single_tf, inputs=inputs))
    assert not differing(report), str(report)
    assert "fault of its own" not in str(report)
    report = porting.check(Pair(torch=in_single, tf=sine, inputs=inputs))
    assert ("torch", "raw_gradient") in differing(report), str(report)
