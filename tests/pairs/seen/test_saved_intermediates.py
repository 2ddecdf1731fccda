"""What a forward saves and what is detached: which of them cuts a second derivative, and which does not.

Seen in code of public repositories.
"""

import pytest
from everyday import ANY, EVERYDAY, FREE, causes
from judged import accused, first_cause

import porting
from porting import Pair
from porting.diagnosis.cause import named

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from functions import function  # noqa: E402 - needs PyTorch


def test_a_detached_cotangent_is_no_saved_intermediate():
    class Masked(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x > 0)
            return x.relu()

        @staticmethod
        def backward(ctx, dy):
            (mask,) = ctx.saved_tensors
            return dy.detach() * mask

    _, report = accused(Pair(torch=Masked, tf=tf.nn.relu), only=["value", "vjp", "second_order"])
    assert "saved_intermediate" not in [d.cause for d in report.diagnoses], str(report)
    assert report.exit_code == 1


def test_what_is_detached_from_the_cotangent_is_not_a_saved_intermediate():
    class Normalised(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            scale = (x.square().sum(-1, keepdim=True) + 1).rsqrt()
            ctx.save_for_backward(x, scale)
            return x * scale

        @staticmethod
        def backward(ctx, dy):
            x, scale = ctx.saved_tensors
            dy = dy.detach()
            return dy * scale - x * scale**3 * (dy * x).sum(-1, keepdim=True)

    def normalised(x):
        return x * tf.math.rsqrt(tf.reduce_sum(x * x, -1, keepdims=True) + 1)

    pair = Pair(torch=Normalised, tf=normalised, inputs={"x": porting.array(("n", 5))})
    assert first_cause(pair, "torch", dtypes=["float64"]) == "detached"


# What is saved, and was there before.


class Frozen(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.tensor(2.0), requires_grad=False)

    def forward(self, x):
        return function(lambda x, s: torch.tanh(s * x), self.backward)(x, self.scale)

    @staticmethod
    def backward(dy, x, s):
        return torch.tensor(((1 - torch.tanh(s * x) ** 2) * s).tolist(), dtype=x.dtype) * dy, None


def test_a_frozen_parameter_is_no_intermediate():
    report = porting.check(Pair(torch=Frozen, inputs=FREE), dtypes=["float64"], only=["value", "vjp", "second_order"])
    assert causes(report, "torch"), str(report)
    assert "saved_intermediate" not in causes(report, "torch"), str(report)


# Causes of one finding under another one.


def test_a_cause_stands_under_what_it_is_of():
    """A value that is wrong where nothing explains it, and a second derivative that misses a term."""

    class Saved(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            t = torch.tanh(x)
            ctx.save_for_backward(t)
            return torch.where(x.abs() > 20, 2 * t, t)

        @staticmethod
        def backward(ctx, dy):
            (t,) = ctx.saved_tensors
            return dy * (1 - t * t)

    report = porting.check(Pair(torch=Saved, like=torch.tanh), dtypes=["float64"], only=[*EVERYDAY, "second_order"])
    for message in report.messages:
        if "(saved_intermediate" in message:
            assert "second derivative" in message.splitlines()[0], message
    assert any("(saved_intermediate" in message for message in report.messages), str(report)


# What autograd itself saves of a straight-through product is differentiated again.


STE = function(torch.sign, lambda dy, _: dy)


def dense_once(x, w):
    """A side that raises where it is differentiated again, so that nobody knows its second derivative."""

    @tf.custom_gradient
    def product(x, w):
        def grad(dy):
            @tf.custom_gradient
            def refused(dy):
                def second(_):
                    raise ValueError("not again")

                return tf.identity(dy), second

            dy = refused(dy)
            return dy @ tf.transpose(tf.sign(w)), tf.transpose(tf.sign(x)) @ dy

        return tf.sign(x) @ tf.sign(w), grad

    return product(x, w)


DENSE = {"x": porting.array(("n", 4)), "w": porting.array((4, 3))}


def causes_by_side(pair):
    report = porting.check(pair, dtypes=["float64"], only=["value", "vjp", "adjoint", "second_order"])
    return {(d.runner, d.cause) for d in report.diagnoses}, report


@pytest.mark.slow
def test_what_autograd_saves_is_no_intermediate_of_a_function():
    found, report = causes_by_side(Pair(torch=lambda x, w: STE(x) @ STE(w), tf=dense_once, inputs=DENSE, name="dense"))
    assert "saved_intermediate" not in {cause for _, cause in found}, str(report)
    assert not any(r.status == "differ" and r.runner == "torch" for r in report.results), str(report)


class SavesItsSine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        s = torch.sin(x)
        ctx.save_for_backward(s, torch.cos(x))
        return s * s

    @staticmethod
    def backward(ctx, dy):
        s, c = ctx.saved_tensors
        return 2 * s * c * dy


@pytest.mark.parametrize("side", [SavesItsSine.apply, lambda x: SavesItsSine.apply(2 * x)])
def test_what_a_function_saves_of_its_forward_is_an_intermediate(side):
    found, report = causes_by_side(Pair(torch=side, inputs=ANY, name="f"))
    assert ("torch", "saved_intermediate") in found, str(report)


# What is meant so is not to be mended into something else.


def gated(x):
    return x * torch.sigmoid(x).detach()


@tf.custom_gradient
def gate(x):
    return x * tf.sigmoid(x), lambda dy: dy * tf.sigmoid(x)


def test_a_fix_leaves_what_is_meant_so():
    report = porting.check(Pair(torch=gated, tf=gate, reference="tf"), only=["vjp", "second_order"])
    (cut,) = report.diagnoses
    assert cut.cause == "detached", str(report)
    assert "keeps its .detach()" in cut.fix, cut
    assert "register_buffer" in named("overwrites_input").fix("torch")


# What a second derivative has of a surrogate: an output that was saved takes it once more, one behind a tape does not.


class Steps(torch.autograd.Function):
    """Rounding to multiples of a step, whose gradient by the step has the output; the lower bound follows from both."""

    saves_output = True

    @classmethod
    def forward(cls, ctx, x, step):
        y = torch.round(x / step) * step
        low = -4 * step
        ctx.save_for_backward(step, y, low)
        return y

    @classmethod
    def backward(cls, ctx, dy):
        step, y, low = ctx.saved_tensors
        return torch.where(y >= low, dy, 0 * dy), (dy * y / step).sum()


def steps_tf(x, step):
    y = tf.stop_gradient(tf.round(x / step) * step)

    @tf.custom_gradient
    def steps(x, step):
        def grad(dy):
            return tf.where(y >= -4 * step, dy, 0 * dy), tf.reduce_sum(dy * y / step)

        return tf.round(x / step) * step, grad

    return steps(x, step)


STEPPED = {"x": porting.array(("n", "k"), domain=(-3.0, 3.0)), "step": porting.array((), domain=(0.5, 2.0))}


@pytest.mark.slow
def test_the_second_derivative_of_a_surrogate_is_a_note_unless_somebody_is_right():
    found, report = causes_by_side(Pair(torch=Steps, tf=steps_tf, inputs=STEPPED))
    assert not any(r.status == "differ" for r in report.results), str(report)
    assert ("torch", "second_order") in {(r.runner, r.check) for r in report.results if r.status == "note"}, str(report)
    found, report = causes_by_side(Pair(torch=Steps, tf=steps_tf, inputs=STEPPED, reference="tf"))
    assert any(runner == "torch" for runner, _ in found), str(report)
    assert "saved_intermediate" not in {cause for _, cause in found}, str(report)  # the bound follows from no x
