"""What is kept for the backward beside inputs and outputs: masks, settings, nothing, the same thing twice."""

# mypy: allow-untyped-defs, allow-untyped-calls

import torch

from porting.selftest import toys
from porting.selftest.planted import right
from porting.selftest.torch import twins


@right(toys.relu)
class MaskOnCtx(torch.autograd.Function):
    """The slope is an attribute of ctx: no output, so there is no cycle, and it has no derivative."""

    @staticmethod
    def forward(ctx, x):
        ctx.slope = torch.where(x.isnan(), x, (x > 0).to(x.dtype))
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, dy):
        return dy * ctx.slope


class _SineWithCosine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        sine, cosine = torch.sin(x), torch.cos(x)
        ctx.save_for_backward(sine, cosine)
        return sine, cosine

    @staticmethod
    def backward(ctx, dy, of_cosine):
        sine, cosine = ctx.saved_tensors
        return dy * cosine - of_cosine * sine


@right(toys.sine)
def intermediate_is_an_output(x):
    """The cosine is saved, and is an output that nobody sees: so it has a graph of its own."""
    return _SineWithCosine.apply(x)[0]


@right(toys.sin_cos)
class NoneExpected(torch.autograd.Function):
    """Cotangents may be None, and the backward leaves out what belongs to them."""

    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(x)
        return torch.sin(x), torch.cos(x)

    @staticmethod
    def backward(ctx, dy0, dy1):
        (x,) = ctx.saved_tensors
        dx = None if dy0 is None else dy0 * torch.cos(x)
        if dy1 is not None:
            of_second = -dy1 * torch.sin(x)
            dx = of_second if dx is None else dx + of_second
        return dx


@right(toys.product)
class WantedOnesOnly(torch.autograd.Function):
    """A gradient that nobody wants is not computed: None stands in its place."""

    @staticmethod
    def forward(ctx, x1, x2):
        ctx.save_for_backward(x1, x2)
        return x1 * x2 * x1

    @staticmethod
    def backward(ctx, dy):
        x1, x2 = ctx.saved_tensors
        first, second = ctx.needs_input_grad
        return 2 * x1 * dy * x2 if first else None, x1 * dy * x1 if second else None


@right(toys.matmul)
class WhatIsNeededSaved(torch.autograd.Function):
    """Each factor is saved only if the other one wants a gradient; None is saved in its place."""

    @staticmethod
    def forward(ctx, x, w):
        first, second = ctx.needs_input_grad
        ctx.save_for_backward(x if second else None, w if first else None)
        return x @ w

    @staticmethod
    def backward(ctx, dy):
        x, w = ctx.saved_tensors
        return None if w is None else dy @ w.mT, None if x is None else x.mT @ dy


@right(toys.product)
class SavedTwice(twins.ProductFunction):
    """One input is saved twice, under two names."""

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs, inputs[0])

    @staticmethod
    def backward(ctx, dy):
        x1, x2, again = ctx.saved_tensors
        return (x1 + again) * dy * x2, x1 * dy * again


class _SettingsKept(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, settings):
        ctx.settings = settings
        ctx.save_for_backward(x)
        return x ** settings["exponent"]

    @staticmethod
    def backward(ctx, dy):
        n = ctx.settings["exponent"]
        return n * ctx.saved_tensors[0] ** (n - 1) * dy, None


@right(toys.power)
def settings_in_a_dictionary(x, *, exponent=3):
    """The static travels in a dictionary, which is kept on ctx: no tensor is in it."""
    return _SettingsKept.apply(x, {"exponent": exponent})


@right(toys.softmax)
class RowsOnCtx(torch.autograd.Function):
    """The backward takes everything for one matrix, whose shape is an attribute of ctx."""

    @staticmethod
    def forward(ctx, x):
        y = torch.softmax(x, -1)
        ctx.rows = x.shape[:-1].numel(), x.shape[-1]
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        y, g = (a.reshape(ctx.rows) for a in (*ctx.saved_tensors, dy))
        return (y * (g - (g * y).sum(1, keepdim=True))).reshape(dy.shape)
