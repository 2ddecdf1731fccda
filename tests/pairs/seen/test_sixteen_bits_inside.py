"""Sides that compute in 16 bits inside, return None among their outputs, or make a variable in each call.

Seen in code of public repositories.
"""

import numpy as np
import pytest
from everyday import ANY, differing
from judged import accused_by

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from functions import function  # noqa: E402 - needs PyTorch

MATRICES = {"x": porting.array(("n", "k")), "w": porting.array(("m", "k"))}


def linear_in_half(factor=1.0, odd=0.0):
    """A product of 16-bit operands, summed in float32; the gradient of x may be wrong where memory is not in order."""

    class Linear(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, w):
            a, b = x.half().float(), w.half().float()
            ctx.save_for_backward(a, b)
            ctx.skewed = not x.is_contiguous()
            ctx.kinds = x.dtype, w.dtype
            return (a @ b.T).to(x.dtype)

        @staticmethod
        def backward(ctx, dy):
            a, b = ctx.saved_tensors
            g = dy.float()
            dx = g @ b * factor + (odd if ctx.skewed else 0.0)
            return dx.to(ctx.kinds[0]), (g.T @ a).to(ctx.kinds[1])

    return Linear.apply


def linear_in_half_tf(factor=1.0):
    @tf.custom_gradient
    def linear(x, w):
        a, b = (tf.cast(tf.cast(v, tf.float16), tf.float32) for v in (x, w))

        def grad(dy):
            g = tf.cast(dy, tf.float32)
            return tf.cast(g @ b * factor, x.dtype), tf.cast(tf.transpose(g) @ a, w.dtype)

        return tf.cast(a @ tf.transpose(b), x.dtype), grad

    return linear


@pytest.mark.parametrize("seed", range(3))
def test_sums_in_another_order_accuse_no_layout(seed):
    pair = Pair(torch=linear_in_half(), tf=linear_in_half_tf(), inputs=MATRICES)
    report = porting.check(pair, seed=seed, only=["layouts"], dtypes=["float64"])
    assert not differing(report), str(report)


def test_a_gradient_that_depends_on_the_layout_is_found():
    pair = Pair(torch=linear_in_half(odd=1e-3), tf=linear_in_half_tf(), inputs=MATRICES)
    found, report = accused_by(pair, only=["layouts"], dtypes=["float64"])
    assert ("torch", "layouts") in found, str(report)


def test_differences_of_what_is_rounded_say_nothing_of_a_second_derivative():
    pair = Pair(torch=linear_in_half(), tf=linear_in_half_tf(), inputs=MATRICES)
    report = porting.check(pair, only=["second_order"], dtypes=["float64"])
    assert not differing(report), str(report)
    assert any("float32 only" in r.note for r in report.results if r.status == "no verdict"), str(report)


@pytest.mark.slow
def test_another_gradient_in_half_is_found():
    pair = Pair(torch=linear_in_half(), tf=linear_in_half_tf(1.01), inputs=MATRICES)
    found, report = accused_by(pair, only=["vjp"], dtypes=["float64"])
    assert found, str(report)


def test_a_second_derivative_of_all_digits_is_still_judged():
    right = function(torch.sin, lambda dy, x: dy * torch.cos(x))

    @tf.custom_gradient
    def wrong(x):
        return tf.sin(x), lambda dy: dy * tf.cos(tf.stop_gradient(x))

    found, report = accused_by(Pair(torch=right, tf=wrong, inputs={"x": porting.array((...,))}), only=["second_order"])
    assert ("tf", "second_order") in found, str(report)


# A cotangent of an output in 16 bits has no more digits than that.


def answers_in_half(limit=None):
    class Linear(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, w):
            ctx.save_for_backward(x, w)
            return (x.half().float() @ w.half().float().T).half()

        @staticmethod
        def backward(ctx, dy):
            x, w = ctx.saved_tensors
            g = dy.float() if limit is None else dy.float().clamp(-limit, limit)
            return (g @ w.half().float()).to(x.dtype), (g.T @ x.half().float()).to(w.dtype)

    return Linear.apply


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_cotangent_in_half_is_no_clipped_one(dtype):
    report = porting.check(Pair(torch=answers_in_half(), inputs=MATRICES), only=["linear"], dtypes=[dtype])
    assert [r.status for r in report.results if r.check == "linear"] == ["agree"], str(report)


def test_a_clipped_one_in_half_is_found():
    report = porting.check(Pair(torch=answers_in_half(2.0), inputs=MATRICES), only=["linear"], dtypes=["float64"])
    assert ("torch", "linear") in differing(report), str(report)


# What is summed in float32 inside, and cancels there, is as linear as float32 is.


SHIFT = [0.3, -0.2, 0.1, -0.4]


def softened(x):
    return torch.logsumexp(torch.log_softmax(x.float(), -1) + torch.tensor(SHIFT), 2).sum(0)


def softened_tf(x):
    return tf.reduce_sum(tf.reduce_logsumexp(tf.nn.log_softmax(tf.cast(x, tf.float32)) + tf.constant(SHIFT), 2), 0)


def test_what_cancels_in_float32_is_linear():
    pair = Pair(torch=softened, tf=softened_tf, inputs={"x": porting.array((6, 2, 4))})
    report = porting.check(pair, only=["linear"], dtypes=["float64"])
    assert {r.status for r in report.results} == {"agree"}, str(report)


def with_a_number(number):
    return function(lambda x: 3 * x, lambda dy, x: 3 * dy + number)


@pytest.mark.parametrize(("number", "status"), [(1e-39, "agree"), (1e-3, "differ")])
def test_a_subnormal_number_is_zero_to_linearity(number, status):
    report = porting.check(Pair(torch=with_a_number(number), inputs=ANY), only=["linear"], dtypes=["bfloat16"])
    assert [r.status for r in report.results] == [status], str(report)
    assert "wrong for cotangents" not in str(report)


def test_a_wider_type_of_another_shape_breaks_no_check():
    @tf.custom_gradient
    def stacked(x):
        return 3 * x, lambda dy: tf.stack([3 * dy, 3 * dy], -1) if dy.dtype == tf.float64 else 3 * dy

    pair = Pair(torch=with_a_number(0.0), tf=stacked, inputs={"x": porting.array((...,))})
    report = porting.check(pair, only=["linear"], dtypes=["float32"])
    assert not [r.note for r in report.results if "broke off" in r.note], str(report)


# An output that is None is no output.


def with_none(factor):
    twice = function(torch.sin, lambda dy, x: factor * dy * torch.cos(x))
    return lambda x: (twice(x), None)


def with_none_tf(x):
    return tf.sin(x), None


@pytest.mark.parametrize(("factor", "found"), [(1.0, False), (1.5, True)])
def test_an_output_that_is_none_is_left_out(factor, found):
    pair = Pair(torch=with_none(factor), tf=with_none_tf, inputs={"x": porting.array((...,))})
    report = porting.check(pair, only=["value", "vjp"], dtypes=["float64"])
    assert bool(differing(report)) == found, str(report)
    assert all(r.compared for r in report.results if r.status == "agree")
    assert report.counts["agree"]


def test_nothing_but_none_is_refused():
    report = porting.check(Pair(torch=lambda x: (None,), tf=lambda x: None, inputs={"x": porting.array((...,))}))
    assert not report.counts["agree"], str(report)


# A variable that each call makes is none that the function captures.


@tf.custom_gradient
def answers_with_a_variable(x):
    return tf.Variable(tf.sin(x).numpy()), lambda dy: dy * tf.cos(x)


def test_a_variable_that_is_the_output_is_not_captured():
    sine = function(torch.sin, lambda dy, x: dy * torch.cos(x))
    pair = Pair(torch=sine, tf=answers_with_a_variable, inputs={"x": porting.array((...,))})
    report = porting.check(pair, only=["variables", "value", "vjp"], dtypes=["float64"])
    assert not differing(report), str(report)


SCALE = tf.Variable(np.float64(2.0))


def test_one_that_is_captured_is_still_judged():
    @tf.custom_gradient
    def scaled(x):
        def grad(dy, variables=None):
            return dy * SCALE, [tf.reduce_sum(dy * x) * 3.0 for _ in variables or ()]

        return x * SCALE, grad

    twice = function(lambda x: 2 * x, lambda dy, x: 2 * dy)
    found, report = accused_by(Pair(torch=twice, tf=scaled, inputs={"x": porting.array((...,))}), dtypes=["float64"])
    assert any(side == "tf" for side, _ in found), str(report)
