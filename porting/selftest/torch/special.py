"""Wrong at some numbers: beside zero, far out, at kinks, for NaN, or in the last digits."""

# mypy: allow-untyped-defs, allow-untyped-calls

import torch

from porting.selftest import toys
from porting.selftest.planted import planted
from porting.selftest.torch import twins
from porting.selftest.torch.shaped import KeepsInputs


@planted(toys.relu, "kink_convention", source="pytorch#184572")
class OneAtZero(twins.ReluFunction):
    """The gradient at 0 is 1."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return torch.where(x < 0, 0 * dy, dy) + 0 * x.isnan() * x


@planted(toys.maximum, "kink_convention", source="pytorch#56734")
class SecondTakesAll(twins.MaximumFunction):
    """At a tie the second input gets the whole gradient."""

    @staticmethod
    def backward(ctx, dy):
        x1, x2 = ctx.saved_tensors
        return dy * (x1 > x2), dy * ~(x1 > x2)


@planted(toys.maximum, "kink_convention", source="onnxruntime PR#7217")
class BothTakeAll(twins.MaximumFunction):
    """At a tie both inputs get the whole gradient."""

    @staticmethod
    def backward(ctx, dy):
        x1, x2 = ctx.saved_tensors
        return dy * (x1 >= x2), dy * ~(x1 > x2)


@planted(toys.product, "nan_hidden", source="stable-dreamfusion#158")
class CotangentCleaned(twins.ProductFunction):
    """A cotangent of NaN is taken for 0."""

    @staticmethod
    def backward(ctx, dy):
        return twins.ProductFunction.backward(ctx, torch.nan_to_num(dy))


@planted(toys.sine, "nan_hidden")
class GradientCleaned(twins.SineFunction):
    """A gradient of NaN is returned as 0."""

    @staticmethod
    def backward(ctx, dy):
        return torch.nan_to_num(twins.SineFunction.backward(ctx, dy))


@planted(toys.relu, "nan_hidden")
class MaskedNan(twins.ReluFunction):
    """Where x is NaN the gradient is 0: no comparison with NaN holds."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return torch.where(x > 0, dy, 0 * dy)


@planted(toys.sqrt_or_zero, "zero_times_infinity", source="pytorch#23395")
class MaskedByProduct(twins.SqrtOrZeroFunction):
    """The infinite derivative at 0 is multiplied by a mask of 0."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return (x > 0) * (dy / (2 * torch.where(x >= 0, x, 1).sqrt()))


@planted(toys.sqrt_or_zero, "zero_times_infinity", source="pytorch#187297")
class OneWhere(twins.SqrtOrZeroFunction):
    """The branch that is not taken is NaN, and its derivative spoils the second one from 0 down."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return torch.where(x > 0, dy / (2 * x.sqrt()), 0 * dy)


@planted(toys.softplus, "overflow", source="tensorflow#38349")
class QuotientOfInfinities(twins.SoftplusFunction):
    """exp(x) / (1 + exp(x)) is NaN where exp(x) overflows."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return torch.exp(x) / (1 + torch.exp(x)) * dy


@planted(toys.sigmoid, "overflow")
class SquareOfInfinity(twins.SigmoidFunction):
    """exp(-x) / (1 + exp(-x))^2 is NaN far to the left."""

    @staticmethod
    def backward(ctx, dy):
        e = torch.exp(-ctx.saved_tensors[0])
        return e / (1 + e) ** 2 * dy


@planted(toys.softmax, "overflow")
class MaximumNotSubtracted(twins.SoftmaxFunction):
    """The backward computes the softmax again, and exp overflows without the maximum subtracted."""

    setup_context = staticmethod(KeepsInputs.setup_context)

    @staticmethod
    def backward(ctx, dy):
        e = torch.exp(ctx.saved_tensors[0])
        y = e / e.sum(-1, keepdim=True)
        return y * (dy - (dy * y).sum(-1, keepdim=True))


@planted(toys.softplus, "overflow")
class InfiniteValue(twins.SoftplusFunction):
    """The forward, log(1 + exp(x)), is infinite where exp(x) overflows."""

    @staticmethod
    def forward(x):
        return torch.log1p(torch.exp(x))


@planted(toys.sigmoid, "wrong_branch")
class FlatFarOut(twins.SigmoidFunction):
    """The gradient is 0 where |x| > 4, as if the function were flat there."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return torch.where(x.abs() > 4, 0 * dy, twins.SigmoidFunction.backward(ctx, dy))


@planted(toys.softplus, "wrong_branch")
class LinearTooEarly(twins.SoftplusFunction):
    """The gradient is 1 where x > 4: the shortcut for large x begins too early."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return torch.where(x > 4, dy, twins.SoftplusFunction.backward(ctx, dy))


@planted(toys.relu, "wrong_branch")
class GradientOfRelu6(twins.ReluFunction):
    """The gradient is 0 from 6 on, as that of relu6 is."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return torch.where(x >= 6, 0 * dy, twins.ReluFunction.backward(ctx, dy))


@planted(toys.sine, "precision_loss")
class SingleInside(twins.SineFunction):
    """The gradient is computed in float32 whatever the input is."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return (torch.cos(x.float()) * dy.float()).to(x.dtype)


@planted(toys.matmul, "precision_loss")
class ProductsInSingle(twins.MatmulFunction):
    """Both products of the backward are computed in float32."""

    @staticmethod
    def backward(ctx, dy):
        x, w = (a.float() for a in ctx.saved_tensors)
        return (dy.float() @ w.mT).to(dy.dtype), (x.mT @ dy.float()).to(dy.dtype)


@planted(toys.softmax, "precision_loss", source="pytorch#87979")
class HalfInside(twins.SoftmaxFunction):
    """The gradient is computed in bfloat16, as under autocast, and cast back."""

    @staticmethod
    def backward(ctx, dy):
        y, g = ctx.saved_tensors[0].bfloat16(), dy.bfloat16()
        return (y * (g - (g * y).sum(-1, keepdim=True))).to(dy.dtype)


@planted(toys.sine, "precision_loss")
class EightDigitsOfPi(twins.SineFunction):
    """The cosine is a sine shifted by half of pi with eight digits."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return torch.sin(x + 1.5707964) * dy


class _NothingAtTheStatic(twins.PowerFunction):
    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        dx, none = twins.PowerFunction.backward(ctx, dy)
        return torch.where(x == ctx.exponent, 0 * dx, dx), none


@planted(toys.power, "wrong_branch")
def nothing_at_the_static(x, *, exponent=3):
    """Where x equals the exponent there is no gradient: a bound was meant to be outside."""
    return _NothingAtTheStatic.apply(x, exponent)


@planted(toys.product, "wrong_branch")
class NothingWhereEqual(twins.ProductFunction):
    """Where the two inputs are equal they are taken for one, and the second gets no gradient."""

    @staticmethod
    def backward(ctx, dy):
        x1, x2 = ctx.saved_tensors
        dx1, dx2 = twins.ProductFunction.backward(ctx, dy)
        return dx1, torch.where(x1 == x2, 0 * dx2, dx2)
