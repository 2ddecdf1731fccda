"""Gradients that are clipped, scaled or penalised on their way back: not linear in the cotangent."""

# mypy: allow-untyped-defs, allow-untyped-calls

import tensorflow as tf
import torch

from porting.pairs.pair import Pair
from porting.selftest.planted import planted_pair, right_pair


class ClipGradient(torch.autograd.Function):
    """Passes x; the gradient is clipped, element by element."""

    @staticmethod
    def forward(ctx, x, limit):
        ctx.limit = limit
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        return g.clamp(-ctx.limit, ctx.limit), None


class ClipNorm(torch.autograd.Function):
    """Passes x; the gradient is scaled down to a norm of at most 1."""

    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, g):
        return g / g.norm().clamp(min=1.0)


class Scaled(torch.autograd.Function):
    """Passes x; the gradient is multiplied by a number."""

    @staticmethod
    def forward(ctx, x, scale):
        ctx.scale = scale
        return x * 1

    @staticmethod
    def backward(ctx, g):
        return ctx.scale * g, None


class Softplus(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.nn.functional.softplus(x, threshold=1e4)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * torch.sigmoid(x)


class SoftplusClipped(Softplus):
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return torch.clamp(g * torch.sigmoid(x), -0.5, 0.5)


class SoftplusPenalised(Softplus):
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * torch.sigmoid(x) + 1e-3 * x


class Leaky(torch.autograd.Function):
    """Passes x; beyond the bounds the gradient that leads back is kept, and a tenth of the other."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return torch.where((x.abs() <= 1) | (g * x > 0), g, 0.1 * g)


@tf.custom_gradient
def leaky_the_other_way(x):
    return tf.identity(x), lambda g: tf.where((tf.abs(x) <= 1) | (g * x < 0), g, 0.1 * g)


@tf.custom_gradient
def softplus(x):
    def grad(upstream):
        return upstream * tf.sigmoid(x)

    return tf.math.softplus(x), grad


def clip_gradient(x, limit):
    @tf.custom_gradient
    def op(x):
        return tf.identity(x), lambda g: tf.clip_by_value(g, -limit, limit)

    return op(x)


def clipped_at_one(x):
    return ClipGradient.apply(x, 1.0)


def clipped_at_half(x):
    return clip_gradient(x, 0.5)


@tf.custom_gradient
def clip_norm(x):
    return tf.identity(x), lambda g: tf.clip_by_norm(g, 1.0)


def scaled(x, scale):
    @tf.custom_gradient
    def op(x):
        return tf.identity(x), lambda g: g * scale

    return op(x)


@right_pair("torch")
def clips_by_value():
    """Both sides clip the gradient at the same bound: neither is linear in the cotangent."""
    return Pair(torch=ClipGradient, tf=clip_gradient, statics={"limit": 1.0})


@right_pair("torch")
def clips_by_norm():
    """Both sides scale the gradient down to a norm of 1, each in its framework's own way."""
    return Pair(torch=ClipNorm, tf=clip_norm)


@right_pair("torch")
def scales_the_gradient():
    """Both sides multiply the gradient by a static, so that it is not that of the forward."""
    return Pair(torch=Scaled, tf=scaled, statics={"scale": 0.1})


@planted_pair("tf", "not_linear")
def clips_at_another_bound():
    """The gradient is clipped at 0.5 where the other side, which is being ported, clips it at 1."""
    return Pair(torch=clipped_at_one, tf=clipped_at_half, reference="torch")


@planted_pair("tf", "not_linear")
def clips_at_another_bound_than_somebody():
    """The same, where nobody says which bound is meant."""
    return Pair(torch=clipped_at_one, tf=clipped_at_half)


@planted_pair("torch", "not_linear")
def clips_what_the_other_does_not():
    """The gradient of a softplus is clipped."""
    return Pair(torch=SoftplusClipped, tf=softplus)


@planted_pair("torch", "not_linear")
def penalises():
    """A multiple of x is added to the gradient, as weight decay would."""
    return Pair(torch=SoftplusPenalised, tf=softplus, reference="tf")


@planted_pair("tf", "wrong_branch")
def leaks_the_other_way():
    """Beyond the bounds cotangents of the other sign lose nine tenths; neither side is linear."""
    return Pair(torch=Leaky.apply, tf=leaky_the_other_way, reference="torch")


@planted_pair("tf", "constant_factor")
def scales_twice():
    """The gradient is scaled by the square of the static."""
    return Pair(torch=Scaled, tf=lambda x, scale: scaled(x, scale * scale), statics={"scale": 0.1})
