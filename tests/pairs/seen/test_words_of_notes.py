"""What is said beside a verdict is true: of calls by keyword, of tensors that are saved, of what was not compared.

Seen in code of public repositories.
"""

import pytest
from everyday import ANY, WIDEST

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")

TWO = {"x": porting.array(), "w": porting.array()}


def sine_times(gradient):
    @tf.custom_gradient
    def times(x, w):
        return tf.sin(x) * w, lambda dy: gradient(dy, x, w)

    return times


def of_keywords(torch_side, gradient):
    pair = Pair(torch=torch_side, tf=sine_times(gradient), inputs=TWO, reference="torch")
    report = porting.check(pair, **WIDEST, only=["vjp", "keyword_call"])
    return {r.check: r.status for r in report.results if r.runner == "tf"}, report


def test_what_differs_by_place_just_the_same_is_no_matter_of_keywords():
    def other_order(dy, x, w):  # rounds otherwise than TensorFlow's own gradient
        return w * tf.cos(x) * dy, tf.sin(x) * dy

    found, report = of_keywords(lambda x, w: torch.cos(x) * w, other_order)
    assert found == {"vjp": "differ", "keyword_call": "agree"}, str(report)


def test_a_gradient_that_is_lost_by_keyword_is_told():
    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, w):
            ctx.save_for_backward(x, w)
            return torch.sin(x) * w

        @staticmethod
        def backward(ctx, dy):
            x, w = ctx.saved_tensors
            return 2 * dy * torch.cos(x) * w, dy * torch.sin(x)

    found, report = of_keywords(Doubled.apply, lambda dy, x, w: (2 * dy * tf.cos(x) * w, dy * tf.sin(x)))
    assert found == {"vjp": "agree", "keyword_call": "note"}, str(report)


class Listed(torch.autograd.Function):
    """Saves two tensors as is usual, and two in a list on ctx."""

    @staticmethod
    def forward(ctx, x):
        s, c, t = torch.sin(x), torch.cos(x), torch.tanh(x)
        ctx.save_for_backward(s, c)
        ctx.more = [t, 1 - t * t]
        return s * t

    @staticmethod
    def backward(ctx, dy):
        s, c = ctx.saved_tensors
        t, slope = ctx.more
        return dy * (c * t + s * slope)


def test_tensors_in_a_list_on_ctx_are_counted():
    pair = Pair(torch=Listed, tf=lambda x: tf.sin(x) * tf.tanh(x), inputs=ANY)
    first = porting.check(pair, **WIDEST, only=["vjp", "second_order"]).diagnoses[0]
    assert first.cause == "saved_intermediate"
    assert "neither inputs nor outputs: 4" in first.seen


@pytest.mark.parametrize("order", [1, 2])
def test_a_second_derivative_that_is_not_compared_in_float32_is_said(order):
    inputs = {"x": porting.array(dtype="float32")}
    pair = Pair(torch=torch.sin, tf=tf.sin, inputs=inputs, contract=porting.Contract(order=order))
    report = porting.check(pair, only=["value", "vjp", "second_order"])
    second = {(r.status, "float64 only" in r.note) for r in report.results if r.check == "second_order"}
    assert second == ({("no verdict", True)} if order == 2 else {("not applicable", False)}), str(report)
    assert report.exit_code == 0
