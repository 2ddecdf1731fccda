"""A Function whose last arguments a port of it does not have.

Seen in code of public repositories.
"""

import pytest
from everyday import causes, described

from porting import Pair, array

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


def scaled(x, scale=2.0, mask=None, mode="sum"):
    if mode != "sum":
        raise ValueError(mode)
    return x * x * scale if mask is None else x * x * scale * mask


class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, mask, mode):
        ctx.save_for_backward(x)
        ctx.scale = scale
        return scaled(x, scale, mask, mode=mode)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return 2 * ctx.scale * x * dy, None, None, None


def port(x, scale=2.0):
    @tf.custom_gradient
    def inner(x):
        return x * x * scale, lambda dy: 2 * scale * x * dy

    return inner(x)


def wrong(x, scale=2.0):
    @tf.custom_gradient
    def inner(x):
        return x * x * scale, lambda dy: scale * x * dy

    return inner(x)


class Squared(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, out):
        ctx.save_for_backward(x)
        return x * x if out is None else out.copy_(x * x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return 2 * x * dy, None


@tf.custom_gradient
def squared(x):
    return x * x, lambda dy: 2 * x * dy


@pytest.mark.parametrize("inputs", [{}, {"x": array()}], ids=["guessed", "described"])
def test_they_have_the_defaults_of_what_they_are_handed_to(inputs):
    report, said = described(Pair(torch=Scaled, tf=port, inputs=inputs))
    assert report.counts["differ"] == 0, str(report)
    assert "called with mask=None, mode='sum', which no other side takes; --static says others" in said


def test_a_fault_beside_them_is_found():
    report, _ = described(Pair(torch=Scaled, tf=wrong))
    assert causes(report, "tf")[:1] == ["constant_factor"], str(report)


def test_what_nobody_has_a_default_for_is_none():
    report, said = described(Pair(torch=Squared, tf=squared))
    assert report.counts["differ"] == 0, str(report)
    assert "called with out=None" in said


def test_another_number_can_be_said():
    report, said = described(Pair(torch=Scaled, tf=port, statics={"mode": "mean"}))
    assert "mode" in said
    assert report.counts["agree"] == 0, str(report)
