"""An output of truth values beside one with a gradient: NumPy has no differences of truth values.

Seen in code of public repositories.
"""

import pytest
from everyday import causes, described, differing

from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


class Held(torch.autograd.Function):
    factor = 1.0

    @staticmethod
    def forward(ctx, x, a, b):
        mask = x > 0
        ctx.save_for_backward(mask, a, b)
        ctx.mark_non_differentiable(mask)
        return x * mask * a * b, mask

    @classmethod
    def backward(cls, ctx, dy, _):
        mask, a, b = ctx.saved_tensors
        return cls.factor * dy * mask * a * b, None, None


class Doubled(Held):
    factor = 2.0


@tf.custom_gradient
def held(x, a, b):
    mask = x > 0
    m = tf.cast(mask, x.dtype)
    return (x * m * a * b, mask), lambda dy, _: (dy * m * a * b, None, None)


def test_nobody_is_accused_for_sure_where_a_mask_stands_beside_a_wrong_gradient():
    """The difference of two masks was an exception: of the checker, and then of the right side."""
    report, _ = described(Pair(torch=Held, tf=held))
    assert differing(report) == set()
    report, _ = described(Pair(torch=Doubled, tf=held))
    assert ("torch", "vjp") in differing(report)
    assert "constant_factor" in causes(report, "tf")
    said = "If PyTorch is right and the guessed inputs are meant: The gradient is the true one times a constant"
    assert said in str(report)
