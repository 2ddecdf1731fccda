"""Kinds of ops that the catalogue does not have yet: several outputs, integer inputs, statics without a default."""

import numpy as np
import pytest

import porting

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


@porting.op
def product_and_sum(x1, x2):
    return x1 * x2, x1 + x2


@product_and_sum.defvjp
def product_and_sum_vjp(dy, y, x1, x2):
    return dy[0] * x2 + dy[1], dy[0] * x1 + dy[1]


class ProductAndSum(torch.autograd.Function):
    @staticmethod
    def forward(x1, x2):
        return x1 * x2, x1 + x2

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, dy0, dy1):
        x1, x2 = ctx.saved_tensors
        return dy0 * x2 + dy1, dy0 * x1 + dy1


class IgnoresTheSecondCotangent(ProductAndSum):
    @staticmethod
    def backward(ctx, dy0, dy1):
        x1, x2 = ctx.saved_tensors
        return dy0 * x2, dy0 * x1


@tf.custom_gradient
def product_and_sum_tf(x1, x2):
    def vjp(dy0, dy1):
        return dy0 * x2 + dy1, dy0 * x1 + dy1

    return (x1 * x2, x1 + x2), vjp


def test_two_outputs():
    report = porting.check(product_and_sum.bind(torch=ProductAndSum.apply, tf=product_and_sum_tf))
    assert report.exit_code == 0, str(report)
    wrong = porting.check(product_and_sum.bind(torch=IgnoresTheSecondCotangent.apply), runners=["torch"], keyword="vjp")
    assert "gradient of x1 differs from the oracle" in str(wrong)


@porting.op(domain={"labels": range(1, 5)}, statics={"scale": (3.0, -0.5)})
def times_label(x, labels, *, scale):
    return scale * x * labels


@times_label.defvjp
def times_label_vjp(dy, y, x, labels, *, scale):
    return scale * labels * dy


class TimesLabel(torch.autograd.Function):
    @staticmethod
    def forward(x, labels, scale):
        return scale * x * labels

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, labels, ctx.scale = inputs
        ctx.save_for_backward(labels)

    @staticmethod
    def backward(ctx, dy):
        (labels,) = ctx.saved_tensors
        return ctx.scale * dy * labels, None, None  # scale * labels alone would be float32


def times_label_tf(x, labels, *, scale):
    @tf.custom_gradient
    def forward(x):
        def vjp(dy):
            return scale * tf.cast(labels, dy.dtype) * dy

        return scale * x * tf.cast(labels, x.dtype), vjp

    return forward(x)


def test_integer_input_and_static_without_default():
    assert times_label.wrt == ("x",)
    op = times_label.bind(torch=lambda x, labels, *, scale: TimesLabel.apply(x, labels, scale), tf=times_label_tf)
    report = porting.check(op)
    assert report.exit_code == 0, str(report)
    fixed = times_label.bind(torch=lambda x, labels, *, scale: TimesLabel.apply(x, labels, 3.0))
    wrong = porting.check(fixed, runners=["torch"], keyword="value")
    assert "y differs from the oracle" in str(wrong), "the second value of the static is tried too"


@porting.op
def row_sum(x):
    return np.sum(x, axis=-1) if np.ndim(x) else x * 1


@row_sum.defvjp
def row_sum_vjp(dy, y, x):
    return np.broadcast_to(np.asarray(dy)[..., None], x.shape).copy() if np.ndim(x) else dy


def test_output_of_another_shape():
    op = row_sum.bind(
        torch=lambda x: x.sum(-1) if x.dim() else x * 1, tf=lambda x: tf.reduce_sum(x, -1) if x.shape.rank else x * 1
    )
    report = porting.check(op)
    assert report.exit_code == 0, str(report)


@porting.op
def squared_norm(x):
    return np.sum(x * x)


@squared_norm.defvjp
def squared_norm_vjp(dy, y, x):
    return 2 * x * dy


def gradient_given(x):
    """The pattern by which a library hands a gradient that it has computed itself to autograd."""
    return GradientGiven.apply((x.detach() ** 2).sum(), 2 * x.detach(), x)


class GradientGiven(torch.autograd.Function):
    @staticmethod
    def forward(ctx, value, gradient, x):
        ctx.save_for_backward(gradient)
        return value.clone()

    @staticmethod
    def backward(ctx, dy):
        (gradient,) = ctx.saved_tensors
        return None, None, gradient * dy


@tf.custom_gradient
def gradient_given_tf(x):
    def vjp(dy):
        return 2 * x  # dy is forgotten: every test with a cotangent of 1 passes

    return tf.reduce_sum(x * x), vjp


def test_scalar_output_and_a_forgotten_cotangent():
    op = squared_norm.bind(torch=gradient_given, tf=gradient_given_tf)
    report = porting.check(op, only=["value", "vjp", "layouts", "shapes"])
    assert {(r.runner, r.check) for r in report.results if r.status == "differ"} == {("tf", "vjp"), ("tf", "shapes")}
    linear = porting.check(op, runners=["tf"], only=["linear"], dtypes=["float64"])
    assert "is not 0 for a cotangent of 0" in str(linear)
    second = porting.check(op, runners=["torch"], only=["second_order"], dtypes=["float64"])
    assert "second derivative by x is detached" in str(second)
