"""A surrogate is fitted for the statics that are printed, whatever others the law is broken for first.

Seen in code of public repositories: a spike that is drawn, with the slope of a logistic function.
"""

import pytest

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


class Logistic(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, k):
        ctx.k = k
        ctx.save_for_backward(x)
        p = 0.5 + 0.5 * torch.tanh(k * x)
        return (torch.rand_like(p) < p).to(p.dtype)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * (1 - torch.tanh(ctx.k * x) ** 2), None


def logistic(x, k):
    @tf.custom_gradient
    def spike(x):
        p = 0.5 + 0.5 * tf.tanh(k * x)
        z = tf.cast(tf.random.uniform(tf.shape(p), dtype=p.dtype) < p, p.dtype)
        return z, lambda dy: dy * (1 - tf.square(tf.tanh(x * k)))

    return spike(x)


def test_both_sides_have_the_width_that_goes_with_what_is_checked():
    report = porting.check(Pair(torch=Logistic, tf=logistic), only=["vjp", "adjoint"], dtypes=["float64"])
    found = [f.fields["surrogate"] for r in report.results for f in r.findings if "surrogate" in f.fields]
    assert found, str(report)
    assert all("sigmoid" in said and "width=0.25 " in said for said in found), found
