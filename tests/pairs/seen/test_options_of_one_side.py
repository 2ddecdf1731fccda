"""A Function whose last arguments a port of it does not have.

Seen in code of public repositories.
"""

import pytest
from everyday import causes, described

from porting import Pair, array, check
from porting.errors import PairError

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


@tf.custom_gradient
def halved(x):
    return x * x, lambda dy: x * dy


class Placed(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, inplace, device):
        ctx.save_for_backward(x)
        return (x.square_() if inplace else x * x).to(device)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return 2 * x * dy, None, None


class Levelled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, level):
        ctx.save_for_backward(x)
        return x * x * (level.value > 0)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return 2 * x * dy, None


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


def test_what_changes_no_number_is_as_usual():
    report, said = described(Pair(torch=Placed, tf=squared))
    assert report.counts["differ"] == 0, str(report)
    assert "called with inplace=False, device='cpu', which no other side takes; --static says others" in said


def test_a_fault_beside_what_is_as_usual_is_found():
    report, _ = described(Pair(torch=Placed, tf=halved))
    assert causes(report, "tf")[:1] == ["constant_factor"], str(report)


def test_what_has_no_place_is_told_with_what_to_type():
    with pytest.raises(
        PairError, match=r"it has no place for level: --static level=VALUE says what the other side is given"
    ):
        check(Pair(torch=Levelled, tf=squared))


def test_what_has_a_place_beside_any_keywords_is_not_told():
    def squared_with(x, scale=1.0, **options):
        return scale * x * x

    class Sized(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, scale, size, other_size):
            return x * x

        @staticmethod
        def backward(ctx, dy):
            return dy, None, None, None

    with pytest.raises(PairError, match=r"it has no place for size, other_size: --static size=VALUE"):
        check(Pair(torch=Sized, tf=squared_with))


def test_another_number_can_be_said():
    report, said = described(Pair(torch=Scaled, tf=port, statics={"mode": "mean"}))
    assert "mode" in said
    assert report.counts["agree"] == 0, str(report)


def spike(v, gamma=0.3):
    return Spike.apply(v, gamma)


class Spike(torch.autograd.Function):
    @staticmethod
    def forward(ctx, v, gamma):
        ctx.save_for_backward(v)
        ctx.gamma = gamma
        return (v > 0).to(v.dtype)

    @staticmethod
    def backward(ctx, dy):
        (v,) = ctx.saved_tensors
        return ctx.gamma * dy * torch.clamp(1 - v.abs(), min=0), None


def spikes(scaled, dampening):
    @tf.custom_gradient
    def inner(scaled):
        y = tf.cast(scaled > 0, scaled.dtype)
        return y, lambda dy: dampening * dy * tf.maximum(1 - tf.abs(scaled), 0)

    return inner(scaled)


def test_the_one_argument_that_is_left_is_the_one_default_that_is_left():
    report, said = described(Pair(torch=spike, tf=spikes))
    assert report.counts["differ"] == 0, str(report)
    assert "tf: called with dampening=0.3, as gamma is by default" in said


class Silent(torch.autograd.Function):
    @staticmethod
    def forward(ctx, *args):
        if len(args) != 2:
            raise TypeError("two arguments are wanted")
        return torch.round(args[0] / args[1]) * args[1]

    @staticmethod
    def backward(ctx, dy):
        return dy, None


@tf.custom_gradient
def rounded(x):
    return tf.round(x), lambda dy: dy


def test_who_does_not_say_what_it_takes_is_not_accused_of_refusing_what_the_other_one_takes():
    report, _ = described(Pair(torch=Silent, tf=rounded))
    assert report.counts["differ"] == 0, str(report)
    assert any("its signature does not say what it takes: name a function around it" in r.note for r in report.results)
    report, _ = described(Pair(torch=Silent, tf=rounded, inputs={"x": array()}))
    assert report.counts["differ"], str(report)


def in_place(x, scale=2.0, inplace=False, name=None):
    return x.mul_(x).mul_(scale) if inplace else x * x * scale


def test_a_flag_that_one_side_alone_has_is_told():
    report, said = described(Pair(torch=in_place, tf=port))
    assert report.counts["differ"] == 0, str(report)
    assert "torch: left at inplace=False, which no other side takes; --static says others" in said
    assert "name=" not in said


def test_a_flag_that_is_given_is_not_left():
    _, said = described(Pair(torch=in_place, tf=port, statics={"inplace": False}))
    assert "left at" not in said
