"""What was said falsely of strangers' code, and what was missed in it, the fifth time; typed in again in its shape."""

import time

import pytest
from judged import accused_by, first_cause

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")

FREE = {"x": porting.array(("n",))}


class Saving(torch.nn.Module):
    """Computes its layer again in the backward."""

    def __init__(self, factor=1.0):
        super().__init__()
        self.factor = factor
        self.inner = torch.nn.Linear(4, 3)

    def forward(self, x):
        y = torch.utils.checkpoint.checkpoint(lambda x: torch.tanh(self.inner(x)), x, use_reentrant=False)
        return y if self.factor == 1 else Scaled.apply(y, self.factor)


class Scaled(torch.autograd.Function):
    """A gradient that is a few times too large."""

    @staticmethod
    def forward(ctx, y, factor):
        ctx.factor = factor
        return y.clone()

    @staticmethod
    def backward(ctx, dy):
        return ctx.factor * dy, None


def plain(x, weight, bias):
    return tf.tanh(tf.matmul(x, weight, transpose_b=True) + bias)


@pytest.mark.slow
@pytest.mark.parametrize("factor", [1.0, 3.0], ids=["right", "three times"])
def test_a_module_that_is_called_again_by_its_backward_has_the_parameters_that_were_drawn(factor):
    pair = Pair(torch=Saving(factor), tf=plain, inputs={"x": porting.array(("n", 4))}, reference="tf")
    found, report = accused_by(pair, only=["vjp", "interleaved", "linear", "raw_gradient", "second_order"])
    assert bool(found) == (factor != 1), str(report)
    assert all(who == "torch" for who, _ in found), str(report)
    if found:
        assert next(iter(report.diagnoses)).cause == "constant_factor"


class Sleeps(torch.autograd.Function):
    """2 x, whose backward does not come back for large arrays."""

    @staticmethod
    def forward(ctx, x):
        return 2 * x

    @staticmethod
    def backward(ctx, dy):
        if dy.numel() > 1000:
            time.sleep(60)
        return 2 * dy


def double(x):
    return 2 * x


@pytest.mark.slow
def test_a_truth_that_does_not_come_back_accuses_nobody_else():
    where = f"{__name__}:"
    pair = Pair(torch=f"{where}Sleeps", tf=f"{where}double", inputs={"x": porting.array((...,))})
    report = porting.check(pair, only=["large"], dtypes=["float64"], isolate=True, timeout=4)
    large = {r.runner: r for r in report.results if r.check == "large"}
    assert large["torch"].status == "differ"
    assert large["tf"].status == "no verdict"
    assert "the torch side, which it is compared with" in large["tf"].note
    assert {d.runner for d in report.diagnoses} == {"torch"}


@tf.custom_gradient
def exp_squared(x):
    """The maximum that was taken out for stability never comes back."""
    square = x**2
    return tf.exp(square), lambda dy: dy * 2 * x * tf.exp(square - tf.reduce_max(square))


class ExpSquared(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.exp(x**2)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * 2 * x * torch.exp(x**2)


def test_a_factor_that_follows_from_the_numbers_is_no_constant():
    inputs = {"x": porting.array(("n",), domain=(-3, 3))}
    pair = Pair(torch=ExpSquared, tf=exp_squared, inputs=inputs, reference="torch")
    assert first_cause(pair, "tf", dtypes=["float64"]) != "constant_factor"


def test_a_second_derivative_is_compared_with_a_side_only_if_the_first_ones_agree():
    @tf.custom_gradient
    def in_double(x):
        high = tf.constant(1e300, tf.float64)
        return tf.exp(x**2), lambda dy: dy * x * tf.exp(tf.where(tf.math.is_finite(x), x**2, high))

    report = porting.check(Pair(torch=ExpSquared, tf=in_double))
    faults = {f.kind for r in report.results if (r.runner, r.status) == ("torch", "differ") for f in r.findings}
    assert "fault" not in faults, str(report)


def test_what_is_shared_by_the_samples_mixes_none_of_them():
    class Added(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, s):
            return x + s

        @staticmethod
        def backward(ctx, dy):
            return dy, dy.sum(0, keepdim=True)

    @tf.custom_gradient
    def added(x, s):
        return x + s, lambda dy: (dy / s, tf.reduce_sum(dy, 0, keepdims=True))

    inputs = {"x": porting.array(("n", "m")), "s": porting.array((1, "m"), domain=(1, 3))}
    pair = Pair(torch=Added, tf=added, inputs=inputs, reference="torch")
    assert first_cause(pair, "tf", dtypes=["float64"]) != "mixes_batch"


def test_a_static_may_stand_between_arguments_that_are_given_by_name():
    def shifted(x, groups, weight):
        return x * weight + groups

    inputs = {"x": porting.array(("n",)), "weight": porting.array(("n",))}
    pair = Pair(torch=shifted, tf=shifted, inputs=inputs, statics={"groups": 2})
    report = porting.check(pair, only=["keyword_call"])
    assert {r.status for r in report.results if r.runner == "tf"} == {"agree"}, str(report)


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
