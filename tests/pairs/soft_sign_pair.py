"""Sides that several tests check: x / (1 + |x|) in both frameworks, and a wrong one."""

import pytest

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")

FAST = {"dtypes": ["float64"], "only": ["value", "vjp", "adjoint"]}


class SoftSign(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.save_for_backward(x)
        ctx.scale = scale
        return scale * x / (1 + x.abs())

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return ctx.scale * dy / (1 + x.abs()) ** 2, None


def soft_sign(x, scale=2.0):
    @tf.custom_gradient
    def forward(x):
        def vjp(dy):
            return scale * tf.convert_to_tensor(dy) / (1 + tf.abs(x)) ** 2

        return scale * x / (1 + tf.abs(x)), vjp

    return forward(x)


def soft_sign_wrong(x, scale=2.0):
    @tf.custom_gradient
    def forward(x):
        def vjp(dy):
            return scale * dy / (1 + tf.abs(x))

        return scale * x / (1 + tf.abs(x)), vjp

    return forward(x)


def statuses(report, runner):
    return {r.check: r.status for r in report.results if r.runner == runner}
