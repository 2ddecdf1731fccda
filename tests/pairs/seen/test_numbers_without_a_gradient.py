"""An input that has no gradient on any side is a number: what it gets when nothing else needs one accuses nobody.

Seen in code of public repositories.
"""

import pytest
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
