"""Outputs of another shape than the other side's accuse nobody of the cotangent that follows from it.

Seen in code of public repositories.
"""

from dataclasses import replace

import numpy as np
import pytest
from everyday import FREE, causes, differing
from judged import accused

import porting
from porting import Pair
from porting.numeric.kinds import Kind

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from functions import function  # noqa: E402 - needs PyTorch


def test_outputs_of_other_shapes_say_nothing_of_gradients():
    class LowerBound(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            bound = torch.full((1,), 0.5, dtype=x.dtype)  # of one axis: so is the output for an x of none
            ctx.save_for_backward(x, bound)
            return torch.max(x, bound)

        @staticmethod
        def backward(ctx, dy):
            x, bound = ctx.saved_tensors
            return (x >= bound) * dy

    @tf.custom_gradient
    def lower_bound(x):
        return tf.maximum(x, tf.cast(0.5, x.dtype)), lambda dy: tf.cast(x >= 0.5, dy.dtype) * dy

    _, report = accused(Pair(torch=LowerBound, tf=lower_bound), only=["shapes"])
    assert {f.code for r in report.results for f in r.findings if r.runner == "tf"} <= {"shape_differs"}, str(report)
    assert not [d for d in report.diagnoses if d.runner == "tf"], str(report)


# Outputs of another shape than the other side's, whose cotangent they are sent.


class Bounded(torch.nn.Module):
    """The bound has one axis: so has an output of none."""

    def __init__(self):
        super().__init__()
        self.register_buffer("bound", torch.tensor([0.1], dtype=torch.float64))

    def forward(self, x):
        return function(torch.maximum, lambda dy, x, b: (dy * (x >= b).to(dy), None))(x, self.bound.to(x.dtype))


@tf.custom_gradient
def bounded(x):
    return tf.maximum(x, 0.1), lambda dy: dy * tf.cast(x >= 0.1, dy.dtype)


def test_a_cotangent_of_the_other_sides_shape_says_nothing_of_a_backward():
    asked = {"dtypes": ["float64"], "only": ["value", "vjp", "shapes"]}
    report = porting.check(Pair(torch=Bounded, tf=bounded, inputs={"x": porting.array()}), **asked)
    assert {f.code for r in report.results for f in r.findings} == {"shape_differs"}, str(report)
    assert not [d for d in report.diagnoses if d.cause == "scalar_crash"], str(report)
    report = porting.check(Pair(torch=Bounded, tf=bounded), **asked)  # nobody says that a number without axes is meant
    assert not [f for r in report.results for f in r.findings], str(report)


def test_a_cotangent_of_the_plain_versions_shape_says_nothing_of_a_backward():
    one = function(lambda x: x.square().sum().reshape(1), lambda dy, x: 2 * x * dy)
    report = porting.check(Pair(torch=one, like=lambda x: x.square().sum(), inputs=FREE), dtypes=["float64"])
    assert "raises_in_backward" not in causes(report, "torch"), str(report)
    assert report.exit_code == 1


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


ROWS = {"x": porting.array(("n", 3))}


# The other side's output, and its gradient, have another shape.


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x * w

    @staticmethod
    def backward(ctx, dy):
        x, w = ctx.saved_tensors
        return dy * w, (dy * x).sum(0)


@tf.custom_gradient
def broadcast(x, w):
    w = tf.reshape(w, (1, -1, 1, 1))
    return x * w, lambda dy: (dy * w, tf.reduce_sum(dy * x, (0, 2, 3)))


def test_nobody_raises_for_a_cotangent_of_the_others_shape():
    pair = Pair(torch=Scale, tf=broadcast, inputs={**ROWS, "w": porting.array((3,))})
    report = porting.check(pair, only=["value", "vjp", "interleaved", "retained"])
    assert differing(report) == {("torch", "value"), ("tf", "value")}, str(report)
    assert not [d for d in report.diagnoses if d.cause == "raises_in_backward"], str(report)


# How many outputs there are may depend on the numbers of an input.


def summed(factor=1.0):
    class Summed(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, ranks):
            kept = torch.cat([ranks[1:] != ranks[:-1], torch.ones(1, dtype=torch.bool)])
            y = x.cumsum(0)[kept]
            ctx.save_for_backward(kept)
            return torch.cat((y[:1], y[1:] - y[:-1]))

        @staticmethod
        def backward(ctx, dy):
            (kept,) = ctx.saved_tensors
            back = kept.int().cumsum(0) - kept.int()
            return factor * dy[back], None

    return Summed


def summed_tf(x, ranks):
    kept = tf.concat([ranks[1:] != ranks[:-1], [True]], 0)
    y = tf.boolean_mask(tf.cumsum(x), kept)
    return tf.concat([y[:1], y[1:] - y[:-1]], 0)


def in_twos(x):
    return np.floor(np.arange(x.size) / 2).reshape(x.shape)


RANKS = {
    "integers": porting.array(("n",), dtype="int64", domain=range(4)),
    "numbers": replace(porting.array(("n",)), kind=Kind("in twos", in_twos)),
}


@pytest.mark.parametrize(("factor", "ranks"), [(1.0, "integers"), (2.0, "integers"), (1.0, "numbers")])
@pytest.mark.slow
def test_a_cotangent_has_the_shape_of_the_output_that_was_computed(factor, ranks):
    inputs = {"x": porting.array(("n", "k")), "ranks": RANKS[ranks]}
    pair = Pair(torch=summed(factor), tf=summed_tf, inputs=inputs)
    asked = ["vjp", "linear", "duplicates", "adjoint", "second_order"]
    report = porting.check(pair, only=asked, dtypes=["float64"])
    found = differing(report)
    assert {("torch", "vjp")} <= found if factor != 1.0 else not found, str(report)
    assert "raised" not in {f.code for r in report.results for f in r.findings}, str(report)
    assert not [r.note for r in report.results if "broke off" in r.note or "raised" in r.note], str(report)
    unsure = {r.check for r in report.results if r.status == "no verdict"}
    first_differs = {"second_order"} if factor != 1.0 else set()
    assert unsure <= ({"adjoint", "second_order"} if ranks == "numbers" else first_differs), str(report)
