"""A text that stays at its default: the branches of others are not compared, and that is said.

Seen in code of public repositories: activations whose gradient is chosen by a name.
"""

import pytest
from everyday import FREE, described

from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


class Sign(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, kind="none"):
        ctx.kind = kind
        ctx.save_for_backward(x)
        return x.sign()

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return (dy * (x.abs() < 1) if ctx.kind == "clipped" else dy), None


def sign(x, kind="none"):
    @tf.custom_gradient
    def forward(x):
        def grad(dy):
            if kind == "clipped":
                return dy * tf.cast(tf.abs(x) < 1, x.dtype)
            return dy

        return tf.sign(x), grad

    return forward(x)


@pytest.mark.parametrize(("statics", "said"), [({}, True), ({"kind": "clipped"}, False)])
def test_what_the_source_asks_for_besides_is_said(statics, said):
    report, text = described(Pair(torch=Sign, tf=sign, inputs=FREE, statics=statics))
    assert not report.counts["differ"], str(report)
    assert ("kind: 'none' alone is compared, the source asks for 'clipped' too" in text) == said, text
