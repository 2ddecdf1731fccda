"""A second backward that raises gives no other gradient: that has a cause of its own."""

import pytest

tf = pytest.importorskip("tensorflow")
torch = pytest.importorskip("torch")

import porting  # noqa: E402 - without both frameworks there is no pair
from porting import Pair  # noqa: E402


class Freed(torch.autograd.Function):
    stays = False

    @classmethod
    def forward(cls, ctx, x):
        with torch.enable_grad():
            ctx.x = x.detach().requires_grad_()
            ctx.y = torch.sin(ctx.x)
        return ctx.y.detach().clone()

    @classmethod
    def backward(cls, ctx, dy):
        return torch.autograd.grad(ctx.y, ctx.x, dy, retain_graph=cls.stays)[0]


class Retained(Freed):
    stays = True


class UsedUp(Freed):
    """Saves a factor in a list, and takes it away."""

    @classmethod
    def forward(cls, ctx, x):
        ctx.left = [torch.cos(x)]
        return torch.sin(x)

    @classmethod
    def backward(cls, ctx, dy):
        return dy * ctx.left.pop()


class OtherTheSecondTime(UsedUp):
    @classmethod
    def backward(cls, ctx, dy):
        return dy * (ctx.left.pop() if ctx.left else 2)


class Refused(Retained):
    @classmethod
    def forward(cls, ctx, x):
        raise AttributeError("no value at all")


class RefusedBackward(Retained):
    @classmethod
    def backward(cls, ctx, dy):
        raise AttributeError("no gradient at all")


@pytest.mark.parametrize("side", [Refused, RefusedBackward])
def test_what_raises_at_once_uses_nothing_up(side):
    report = porting.check(Pair(torch=side, tf=tf.sin), only=["vjp", "retained"], dtypes=["float64"])
    assert report.counts["differ"], str(report)
    assert "saved_used_up" not in {d.cause for d in report.diagnoses}, str(report)


@pytest.mark.parametrize(
    ("side", "causes"),
    [
        (Freed, {"saved_used_up"}),
        (UsedUp, {"saved_used_up"}),
        (OtherTheSecondTime, {"overwrites_saved"}),
        (Retained, set()),
    ],
)
def test_what_raises_is_not_said_to_give_another_gradient(side, causes):
    report = porting.check(Pair(torch=side, tf=tf.sin), only=["vjp", "retained"], dtypes=["float64"])
    assert {d.cause for d in report.diagnoses} == causes, str(report)
    assert ("another gradient" in str(report)) == ("overwrites_saved" in causes), str(report)
    assert ("retain_graph=True" in str(report)) == ("saved_used_up" in causes), str(report)
