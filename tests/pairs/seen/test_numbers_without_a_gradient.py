"""An input that has no gradient on any side is a number: what it gets when nothing else needs one accuses nobody.

Seen in code of public repositories.
"""

import pytest
from everyday import described
from judged import accused_by

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")

# A bound that one side takes as a number, and the other one reads from the function around: it has no gradient.


class Bounded(torch.autograd.Function):
    slot = 1.0

    @staticmethod
    def forward(ctx, x, scale, bound):
        ctx.bound = float(bound)
        ctx.save_for_backward(x, scale)
        return scale * x.clamp(min=ctx.bound)

    @classmethod
    def backward(cls, ctx, dy):
        x, scale = ctx.saved_tensors
        dx = dy * scale * ((x >= ctx.bound) | (dy < 0))
        alone = cls.slot if not ctx.needs_input_grad[0] else 1.0
        return dx, alone * (dy * x.clamp(min=ctx.bound)).sum(), None


class WrongAlone(Bounded):
    slot = 2.0


def bounded_from_around(x, scale, bound):
    @tf.custom_gradient
    def inner(x, scale):
        y = tf.maximum(x, bound)

        def vjp(dy):
            return scale * dy * tf.cast((x >= bound) | (dy < 0), dy.dtype), tf.reduce_sum(dy * y)

        return scale * y, vjp

    return inner(x, scale)


@pytest.mark.parametrize("reference", [None, "torch"])
@pytest.mark.parametrize(("function", "found"), [(Bounded, set()), (WrongAlone, {("torch", "subsets")})])
def test_a_number_without_a_gradient_that_gets_one_alone_is_a_note(reference, function, found):
    inputs = {"x": porting.array(("n",)), "scale": porting.array(()), "bound": porting.array((), domain=(0.5, 2.0))}
    pair = Pair(torch=function, tf=bounded_from_around, inputs=inputs, reference=reference)
    accusing, report = accused_by(pair, only=["value", "vjp", "subsets"], dtypes=["float64"])
    noted = {(r.runner, r.check) for r in report.results if r.status == "note"}
    assert accusing == (found if reference is None else set()), str(report)
    assert ("tf", "subsets") in noted, str(report)


# A number by default that has a gradient: it is said that nothing of it is compared.


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, beta=1.0, eps=1e-6):
        beta = torch.as_tensor(beta, dtype=x.dtype)
        ctx.save_for_backward(x, beta)
        return x * torch.sigmoid(beta * x) + 0 * eps

    @staticmethod
    def backward(ctx, dy):
        x, beta = ctx.saved_tensors
        s = torch.sigmoid(beta * x)
        dbeta = (dy * x * x * s * (1 - s)).sum() if ctx.needs_input_grad[1] else None
        return dy * (s + beta * x * s * (1 - s)), dbeta, None


def swish(x, beta=1.0, eps=1e-6):
    return x * tf.sigmoid(tf.cast(beta, x.dtype) * x) + 0 * eps


class SwishOfANumber(Swish):
    @staticmethod
    def backward(ctx, dy):
        return Swish.backward(ctx, dy)[0], None, None


SAID = "beta: a number by default, of which no gradient is compared"


def test_a_default_with_a_gradient_is_said_to_be_uncompared():
    _, said = described(Pair(torch=Swish, tf=swish))
    assert f'{SAID}; --input "x=float64[...]" --input "beta=float64[]" compares it' in said
    assert "eps:" not in said


@pytest.mark.parametrize(
    "pair",
    [
        Pair(torch=SwishOfANumber, tf=swish),
        Pair(torch=Swish, tf=swish, statics={"beta": 1.0}),
        Pair(torch=Swish, tf=swish, inputs={"x": porting.array(), "beta": porting.array(())}),
    ],
    ids=["one side has none", "given as a number", "given as an input"],
)
def test_one_that_has_none_or_was_given_is_not(pair):
    _, said = described(pair)
    assert SAID not in said


# A gradient that is clipped to a norm, which is a number above 0: with arrays of any sign the sides differ.


class ClippedByNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, norm):
        ctx.norm = norm
        return x.clone()

    @staticmethod
    def backward(ctx, dy):
        return dy * ctx.norm / torch.clamp(dy.pow(2).sum().sqrt(), min=ctx.norm), None


@tf.custom_gradient
def clipped_by_norm(x, norm):
    return tf.identity(x), lambda dy: [tf.clip_by_norm(dy, norm), None]


def test_a_norm_is_a_number_by_its_name():
    report, said = described(Pair(torch=ClippedByNorm, tf=clipped_by_norm))
    assert report.counts["differ"] == 0, str(report)
    assert "norm is a number by its name" in said
