"""Arguments that callers leave out, and arguments that two sides take in another order.

Seen in code of public repositories.
"""

import pytest
from everyday import ANY, causes, differing
from judged import accused

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")

# `apply` wants a gradient for each argument that it is given: a caller who leaves defaults out needs none.


class Leaky(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, low=-1.0, high=1.0, leak=0.25):
        ctx.save_for_backward(x)
        ctx.limits = low, high, leak
        return x.clamp(low, high)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        low, high, leak = ctx.limits
        return torch.where((x >= low) & (x <= high), 1.0, leak) * dy, None, None


class Short(Leaky):
    @staticmethod
    def backward(ctx, dy):
        dx, *_ = Leaky.backward(ctx, dy)
        if ctx.limits[2] != 0.25:
            return dx, None, None, None
        return dx, None


class Whole(Leaky):
    @staticmethod
    def backward(ctx, dy):
        return (*Leaky.backward(ctx, dy), None)


def leaky_tf(factor=1.0):
    @tf.custom_gradient
    def inner(x):
        inside = tf.logical_and(x >= -1, x <= 1)
        return tf.clip_by_value(x, -1, 1), lambda dy: factor * tf.where(inside, tf.ones_like(x), 0.25) * dy

    return inner


@pytest.mark.parametrize(("function", "left"), [(Leaky, "leak"), (Short, "high, leak"), (Whole, "")])
def test_a_default_without_a_gradient_is_left_out_and_said(function, left):
    report = porting.check(Pair(torch=function, tf=leaky_tf(), inputs=ANY), only=["value", "vjp"])
    assert not differing(report), str(report)
    assert ("left out" in report.described[0]) is bool(left), report.described[0]
    assert not left or f"torch: {left} left out" in report.described[0]


def test_what_is_wrong_is_found_without_it():
    found, report = accused(Pair(torch=Leaky, tf=leaky_tf(1.5), inputs=ANY, reference="torch"), only=["vjp"])
    assert found == {"tf"}, str(report)
    assert causes(report, "tf")[0] == "constant_factor", str(report)


def test_one_that_is_given_wants_its_gradient():
    found, report = accused(Pair(torch=Leaky, inputs=ANY, statics={"leak": 0.5}), only=["vjp"])
    assert found == {"torch"}, str(report)
    assert causes(report, "torch")[0] == "wrong_count", str(report)


# Arguments of the same names are the same, wherever they stand.


def weighted(y_pred, y_true):
    return ((y_pred - y_true) ** 2 * y_pred).mean()


def turned(y_true, y_pred):
    return tf.reduce_mean((y_pred - y_true) ** 2 * y_pred)


def raw(y_true_raw, y_pred_raw):
    return turned(y_true_raw, y_pred_raw)


def plain(y_pred, y_true):
    return turned(y_true, y_pred)


def test_arguments_of_the_same_names_are_paired_by_name():
    report = porting.check(Pair(torch=weighted, tf=turned), only=["value", "vjp", "keyword_call"])
    assert not differing(report), str(report)
    assert not [r for r in report.results if r.check == "keyword_call" and r.status != "agree"], str(report)
    assert "tf: y_true, y_pred in this order" in report.described[0]


def test_names_that_are_alike_are_paired_by_place_and_that_is_said():
    found, report = accused(Pair(torch=weighted, tf=raw), only=["value"])
    assert found, str(report)
    assert "y_pred is y_true_raw, y_true is y_pred_raw, by place" in report.described[0]


def test_nothing_is_said_of_the_same_order():
    report = porting.check(Pair(torch=weighted, tf=plain), only=["value"])
    assert not differing(report), str(report)
    assert "order" not in report.described[0]
    assert "by place" not in report.described[0]


# A side alone, called by keyword.


@tf.custom_gradient
def reversed_gradient(x):
    return tf.identity(x), lambda dy: -dy


def wrapped(x):
    return reversed_gradient(x)


@pytest.mark.parametrize(("function", "status"), [(reversed_gradient, "note"), (wrapped, "agree")])
def test_a_gradient_that_a_keyword_call_drops_is_told_of_a_side_alone(function, status):
    (result,) = porting.check(Pair(tf=function, inputs=ANY), only=["keyword_call"], dtypes=["float64"]).results
    assert result.status == status
    assert {finding.code for finding in result.findings} == ({"differs"} if status == "note" else set())
