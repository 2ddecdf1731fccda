"""Wrong at some numbers: beside zero, far out, at kinks, for NaN, or in the last digits."""

# mypy: allow-untyped-defs, allow-untyped-calls

import torch

from porting.selftest import toys
from porting.selftest.edits import planted_edits
from porting.selftest.planted import planted
from porting.selftest.torch import twins
from porting.selftest.torch.shaped import KeepsInputs


@planted(toys.softmax, "overflow")
class MaximumNotSubtracted(twins.SoftmaxFunction):
    """The backward computes the softmax again, and exp overflows without the maximum subtracted."""

    setup_context = staticmethod(KeepsInputs.setup_context)

    @staticmethod
    def backward(ctx, dy):
        e = torch.exp(ctx.saved_tensors[0])
        y = e / e.sum(-1, keepdim=True)
        return y * (dy - (dy * y).sum(-1, keepdim=True))


planted_edits(
    __name__,
    """
    OneAtZero: relu, kink_convention, pytorch#184572
        The gradient at 0 is 1.
        - return torch.where(x <= 0, 0 * dy, dy) + 0 * x.isnan() * x
        + return torch.where(x < 0, 0 * dy, dy) + 0 * x.isnan() * x
    MaskNegated: relu, inverted_mask
        The mask marks what is blocked, and is taken for what passes.
        - return torch.where(x <= 0, 0 * dy, dy) + 0 * x.isnan() * x
        + return torch.where(x <= 0, dy, 0 * dy) + 0 * x.isnan() * x
    RootOfTheOthers: sqrt_or_zero, inverted_mask
        torch.where with its two branches exchanged.
        - return torch.where(x > 0, dy / (2 * torch.where(x > 0, x, 1).sqrt()), 0 * dy)
        + return torch.where(x > 0, 0 * dy, dy / (2 * torch.where(x > 0, x, 1).sqrt()))
    SecondTakesAll: maximum, kink_convention, pytorch#56734
        At a tie the second input gets the whole gradient.
        - first = torch.where(x1 > x2, 1.0, torch.where(x1 == x2, 0.5, 0.0)).to(dy.dtype)
        - return dy * first, dy * (1 - first)
        + return dy * (x1 > x2), dy * ~(x1 > x2)
    BothTakeAll: maximum, wrong_branch, onnxruntime PR#7217
        At a tie both inputs get the whole gradient.
        - first = torch.where(x1 > x2, 1.0, torch.where(x1 == x2, 0.5, 0.0)).to(dy.dtype)
        - return dy * first, dy * (1 - first)
        + return dy * (x1 >= x2), dy * ~(x1 > x2)
    CotangentCleaned: product, nan_hidden, stable-dreamfusion#158
        A cotangent of NaN is taken for 0.
        - return 2 * x1 * dy * x2, x1 * dy * x1
        + dy = torch.nan_to_num(dy)
        + return 2 * x1 * dy * x2, x1 * dy * x1
    GradientCleaned: sine, nan_hidden
        A gradient of NaN is returned as 0.
        - return torch.cos(x) * dy
        + return torch.nan_to_num(torch.cos(x) * dy)
    MaskedNan: relu, nan_hidden
        Where x is NaN the gradient is 0: no comparison with NaN holds.
        - return torch.where(x <= 0, 0 * dy, dy) + 0 * x.isnan() * x
        + return torch.where(x > 0, dy, 0 * dy)
    MaskedByProduct: sqrt_or_zero, zero_times_infinity, pytorch#23395
        The infinite derivative at 0 is multiplied by a mask of 0.
        - return torch.where(x > 0, dy / (2 * torch.where(x > 0, x, 1).sqrt()), 0 * dy)
        + return (x > 0) * (dy / (2 * torch.where(x >= 0, x, 1).sqrt()))
    OneWhere: sqrt_or_zero, zero_times_infinity, pytorch#187297
        The branch that is not taken is NaN, and its derivative spoils the second one from 0 down.
        - return torch.where(x > 0, dy / (2 * torch.where(x > 0, x, 1).sqrt()), 0 * dy)
        + return torch.where(x > 0, dy / (2 * x.sqrt()), 0 * dy)
    QuotientOfInfinities: softplus, overflow, tensorflow#38349
        exp(x) / (1 + exp(x)) is NaN where exp(x) overflows.
        - return torch.sigmoid(x) * dy
        + return torch.exp(x) / (1 + torch.exp(x)) * dy
    SquareOfInfinity: sigmoid, overflow
        exp(-x) / (1 + exp(-x))^2 is NaN far to the left.
        - (x,) = ctx.saved_tensors
        - return torch.sigmoid(x) * torch.sigmoid(-x) * dy
        + e = torch.exp(-ctx.saved_tensors[0])
        + return e / (1 + e) ** 2 * dy
    InfiniteValue: softplus, overflow
        The forward, log(1 + exp(x)), is infinite where exp(x) overflows.
        - return torch.logaddexp(torch.zeros_like(x), x)
        + return torch.log1p(torch.exp(x))
    FlatFarOut: sigmoid, wrong_branch
        The gradient is 0 where |x| > 4, as if the function were flat there.
        - return torch.sigmoid(x) * torch.sigmoid(-x) * dy
        + return torch.where(x.abs() > 4, 0 * dy, torch.sigmoid(x) * torch.sigmoid(-x) * dy)
    LinearTooEarly: softplus, wrong_branch
        The gradient is 1 where x > 4: the shortcut for large x begins too early.
        - return torch.sigmoid(x) * dy
        + return torch.where(x > 4, dy, torch.sigmoid(x) * dy)
    GradientOfRelu6: relu, wrong_branch
        The gradient is 0 from 6 on, as that of relu6 is.
        - return torch.where(x <= 0, 0 * dy, dy) + 0 * x.isnan() * x
        + return torch.where(x >= 6, 0 * dy, torch.where(x <= 0, 0 * dy, dy) + 0 * x.isnan() * x)
    SingleInside: sine, precision_loss
        The gradient is computed in float32 whatever the input is.
        - return torch.cos(x) * dy
        + return (torch.cos(x.float()) * dy.float()).to(x.dtype)
    ProductsInSingle: matmul, precision_loss
        Both products of the backward are computed in float32.
        - x, w = ctx.saved_tensors
        - return dy @ w.mT, x.mT @ dy
        + x, w = (a.float() for a in ctx.saved_tensors)
        + return (dy.float() @ w.mT).to(dy.dtype), (x.mT @ dy.float()).to(dy.dtype)
    HalfInside: softmax, precision_loss, pytorch#87979
        The gradient is computed in bfloat16, as under autocast, and cast back.
        - (y,) = ctx.saved_tensors
        - return y * (dy - (dy * y).sum(-1, keepdim=True))
        + y, g = ctx.saved_tensors[0].bfloat16(), dy.bfloat16()
        + return (y * (g - (g * y).sum(-1, keepdim=True))).to(dy.dtype)
    EightDigitsOfPi: sine, precision_loss
        The cosine is a sine shifted by half of pi with eight digits.
        - return torch.cos(x) * dy
        + return torch.sin(x + 1.5707964) * dy
    nothing_at_the_static: power, wrong_branch
        Where x equals the exponent there is no gradient: a bound was meant to be outside.
        - return ctx.exponent * x ** (ctx.exponent - 1) * dy, None
        + dx = ctx.exponent * x ** (ctx.exponent - 1) * dy
        + return torch.where(x == ctx.exponent, 0 * dx, dx), None
    NothingWhereEqual: product, wrong_branch
        Where the two inputs are equal they are taken for one, and the second gets no gradient.
        - return 2 * x1 * dy * x2, x1 * dy * x1
        + dx1, dx2 = 2 * x1 * dy * x2, x1 * dy * x1
        + return dx1, torch.where(x1 == x2, 0 * dx2, dx2)
    """,
)
