"""Ops that draw random numbers: each side is compared with its own forward, from the same seeds, with nobody else."""

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


def halved(x, p=0.5):
    """The mean of dropout: draws nothing."""
    return x * (1 - p) / (1 - p)


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


@pytest.mark.parametrize("tf_side", [dropout, halved], ids=["both draw", "one draws"])
def test_a_right_one_is_not_accused_and_gets_no_verdict(tf_side):
    report = porting.check(Pair(torch=Dropout, tf=tf_side), **ASKED)
    assert report.counts["differ"] == report.counts["note"] == 0, str(report)
    assert by_check(report, "torch")["adjoint"] == "agree"
    assert {by_check(report, key)[check] for key in ("torch", "tf") for check in ("value", "vjp")} == {"no verdict"}
    assert "draws random numbers; pass the noise as an input" in report.undecided["Dropout"]
    assert report.exit_code == 5, "nothing was compared"


@pytest.mark.parametrize("wrong", [DropoutTenTimes, DrawnTwice])
def test_a_wrong_one_is_found_by_its_own_forward(wrong):
    report = porting.check(Pair(torch=wrong, tf=dropout), **ASKED)
    assert by_check(report, "torch")["adjoint"] == "differ"
    assert by_check(report, "tf")["adjoint"] == "agree"
    assert report.exit_code == 1
    alone = porting.check(Pair(torch=wrong), **ASKED)
    assert by_check(alone, "torch")["adjoint"] == "differ"


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
