"""Ops that draw random numbers: two sides are compared with the same ones, if they make the same of them.

Else each side is compared with its own forward, from the same seeds, and with nobody else.
"""

from contextlib import nullcontext

import numpy as np
import pytest
import tensorflow as tf
import torch

import porting
from porting import Pair
from porting.errors import NoTruthError
from porting.parity.drawing import drawn
from porting.parity.probe import Probe
from porting.report.cells import worst
from porting.runners import RUNNERS, Outcome

ASKED = {
    "only": ["value", "vjp", "adjoint", "global_state", "raw_gradient", "repeated"],
    "dtypes": ["float32", "float64"],
}


class Dropout(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, p=0.5):
        mask = (torch.rand_like(x) >= p).to(x.dtype) / (1 - p)
        ctx.save_for_backward(mask)
        return x * mask

    @staticmethod
    def backward(ctx, dy):
        (mask,) = ctx.saved_tensors
        return dy * mask, None


class DropoutTenTimes(Dropout):
    """Its gradient is ten times too large."""

    @staticmethod
    def backward(ctx, dy):
        return 10 * Dropout.backward(ctx, dy)[0], None


class DrawnTwice(Dropout):
    """Its backward draws another mask."""

    @staticmethod
    def backward(ctx, dy):
        return dy * (torch.rand_like(dy) >= 0.5).to(dy.dtype) * 2, None


class NoisyGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, dy):
        return dy + torch.randn_like(dy)


def dropout(x, p=0.5):
    @tf.custom_gradient
    def forward(x):
        mask = tf.cast(tf.random.uniform(tf.shape(x)) >= p, x.dtype) / (1 - p)
        return x * mask, lambda dy: dy * mask

    return forward(x)


def dropout_of_a_generator(x, p=0.5):
    @tf.custom_gradient
    def forward(x):
        mask = tf.cast(GENERATOR.uniform(tf.shape(x), dtype=x.dtype) >= p, x.dtype) / (1 - p)
        return x * mask, lambda dy: dy * mask

    return forward(x)


def dropout_of_others(x, p=0.5):
    """It keeps what the other side drops."""

    @tf.custom_gradient
    def forward(x):
        mask = tf.cast(tf.random.uniform(tf.shape(x)) < 1 - p, x.dtype) / (1 - p)
        return x * mask, lambda dy: dy * mask

    return forward(x)


def halved(x, p=0.5):
    """The mean of dropout: draws nothing."""
    return x * (1 - p) / (1 - p)


GENERATOR = tf.random.Generator.from_seed(1)


class Noisy(torch.autograd.Function):
    """Draws in many ways."""

    factor = 1.0

    @staticmethod
    def forward(ctx, x):
        noise = torch.empty_like(x).uniform_(-1, 2) + 0.3 * torch.randn_like(x) + torch.randn(x.shape, dtype=x.dtype)
        kept = torch.bernoulli(torch.full_like(x, 0.25)) + torch.full_like(x, 0.75).bernoulli_(0.5)
        ctx.save_for_backward(noise, kept)
        return x * noise + kept

    @staticmethod
    def backward(ctx, dy):
        return dy * ctx.saved_tensors[0]


@tf.custom_gradient
def noisy(x):
    shape = tf.shape(x)
    noise = tf.random.uniform(shape, -1, 2, x.dtype) + tf.random.normal(shape, 0, 0.3, x.dtype)
    noise += tf.random.normal(shape, dtype=x.dtype)
    kept = tf.cast(tf.random.uniform(shape) < 0.25, x.dtype) + tf.cast(tf.random.uniform(shape) < 0.5, x.dtype)
    return x * noise + kept, lambda dy: dy * noise


@tf.custom_gradient
def a_hundredth_more(x):
    y, gradient = noisy.__wrapped__(x)
    return 1.01 * y, gradient


class Rounded(torch.autograd.Function):
    """A backward that rounds at random."""

    @staticmethod
    def forward(ctx, x):
        return 2 * x

    @staticmethod
    def backward(ctx, dy):
        return torch.floor(2 * dy + torch.rand_like(dy))


@tf.custom_gradient
def rounded(x):
    return 2 * x, lambda dy: tf.floor(2 * dy + tf.random.uniform(tf.shape(dy), dtype=dy.dtype))


@tf.custom_gradient
def rounded_further(x):
    return 2 * x, lambda dy: tf.floor(2 * dy + tf.random.uniform(tf.shape(dy), dtype=dy.dtype)) + 0.02


class Counted(torch.autograd.Function):
    """Another value each time, and no seed helps."""

    calls = 0

    @staticmethod
    def forward(ctx, x):
        Counted.calls += 1
        return x * Counted.calls

    @staticmethod
    def backward(ctx, dy):
        return dy * Counted.calls


def by_check(report, runner):
    return {r.check: r.status for r in report.results if r.runner == runner and r.dtype == "float64"}


ALIKE = [(Dropout, dropout), (Dropout, dropout_of_a_generator), (Noisy, noisy), (Rounded, rounded)]


@pytest.mark.parametrize(("torch_side", "tf_side"), ALIKE)
def test_two_that_make_the_same_of_the_same_numbers_are_compared(torch_side, tf_side):
    report = porting.check(Pair(torch=torch_side, tf=tf_side))
    assert report.counts["differ"] == 0, str(report)
    assert {by_check(report, key)[check] for key in ("torch", "tf") for check in ("value", "vjp")} == {"agree"}
    assert by_check(report, "tf")["repeated"] == "no verdict", "they are the same in each call by our doing"
    assert report.exit_code == 0


class SometimesDrawn(torch.autograd.Function):
    """Draws where its second input is a probability, and not for the first numbers that are tried."""

    @staticmethod
    def forward(ctx, x, p):
        mask = torch.bernoulli(p.clamp(0, 1).expand_as(x))
        ctx.save_for_backward(mask)
        return x * mask

    @staticmethod
    def backward(ctx, dy):
        return dy * ctx.saved_tensors[0], None


@tf.custom_gradient
def sometimes_drawn(x, p):
    mask = tf.cast(tf.random.uniform(tf.shape(x), dtype=x.dtype) < p, x.dtype)
    return x * mask, lambda dy: (dy * mask, None)


def test_what_draws_for_some_numbers_only_is_not_accused():
    inputs, contract = {"x": porting.array(), "p": porting.array(())}, porting.Contract(wrt=("x",))
    report = porting.check(Pair(torch=SometimesDrawn, tf=sometimes_drawn, inputs=inputs, contract=contract))
    assert report.counts["differ"] == 0, str(report)
    assert worst(r for r in report.results if r.runner == "tf") == "agree"


@pytest.mark.parametrize("tf_side", [dropout_of_others, halved])
def test_two_that_make_other_things_of_them_are_not_accused_and_get_no_verdict(tf_side):
    report = porting.check(Pair(torch=Dropout, tf=tf_side), **ASKED)
    assert report.counts["differ"] == report.counts["note"] == 0, str(report)
    assert by_check(report, "torch")["adjoint"] == "agree"
    assert {by_check(report, key)[check] for key in ("torch", "tf") for check in ("value", "vjp")} == {"no verdict"}
    assert "draws random numbers; pass the noise as an input" in report.undecided["Dropout"]
    assert report.exit_code == 5, "nothing was compared"


WRONG = [(DropoutTenTimes, dropout, "vjp"), (Noisy, a_hundredth_more, "value"), (Rounded, rounded_further, "vjp")]


@pytest.mark.parametrize(("torch_side", "tf_side", "check"), WRONG)
def test_a_wrong_one_is_found_beside_the_other(torch_side, tf_side, check):
    report = porting.check(Pair(torch=torch_side, tf=tf_side), **ASKED)
    assert by_check(report, "torch")[check] == "differ", str(report)
    assert report.exit_code == 1


@pytest.mark.parametrize("wrong", [DropoutTenTimes, DrawnTwice])
def test_a_wrong_one_is_found_by_its_own_forward(wrong):
    report = porting.check(Pair(torch=wrong), **ASKED)
    assert by_check(report, "torch")["adjoint"] == "differ"


def test_another_mask_in_the_backward_is_found_beside_a_right_one():
    report = porting.check(Pair(torch=DrawnTwice, tf=dropout), **ASKED)
    assert by_check(report, "torch")["adjoint"] == "differ"
    assert by_check(report, "tf")["adjoint"] == "agree"


def test_a_right_one_alone_is_not_accused():
    report = porting.check(Pair(tf=dropout), **ASKED)
    assert report.counts["differ"] == report.counts["note"] == 0, str(report)
    assert by_check(report, "tf")["adjoint"] == "agree"


def test_a_state_of_its_own_is_no_draw():
    report = porting.check(Pair(torch=Counted), **ASKED)
    assert by_check(report, "torch")["repeated"] == "differ"
    assert not report.undecided


class Bits(torch.autograd.Function):
    """The gradient draws nothing."""

    @staticmethod
    def forward(ctx, x):
        return torch.bernoulli(torch.sigmoid(x))

    @staticmethod
    def backward(ctx, dy):
        return dy


class OneBit:
    """A runner whose answers differ in the fifth call, and in no call from the same seeds."""

    key = "torch"

    def __init__(self):
        self.bits = iter([0.0, 0.0, 0.0, 0.0, 1.0])

    def run(self, case):
        return Outcome((np.array(next(self.bits, 0.0)),))

    def state(self):
        return None

    def restore(self, settings):
        self.bits = iter(())


def test_what_two_calls_have_alike_by_chance_is_drawn():
    assert drawn(OneBit(), None) == "value"


@pytest.mark.parametrize(
    ("side", "who"), [(Bits, "PyTorch draws"), (NoisyGradient, "PyTorch's gradient draws"), (torch.sin, "")]
)
def test_the_gradient_is_said_to_draw_only_where_the_forward_does_not(side, who):
    op = Pair(torch=side, tf=tf.sin).on("tf")
    probe = Probe(op, "float64", runner=RUNNERS["tf"])
    said = pytest.raises(NoTruthError) if who else nullcontext()
    with said as found:
        probe.truth(probe.case())
    assert not who or str(found.value) == f"{who} random numbers; pass the noise as an input"
