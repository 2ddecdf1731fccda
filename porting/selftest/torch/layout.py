"""Wrong for some shapes, memory layouts, rows, indices, or for a few elements."""

# mypy: allow-untyped-defs, allow-untyped-calls

import torch

from porting.selftest import toys
from porting.selftest.planted import planted
from porting.selftest.torch import twins


def _as_if_contiguous(tensor):
    """Read the memory of a tensor row by row, whatever its strides."""
    return tensor.as_strided(tensor.shape, torch.empty(tensor.shape, device="meta").stride())


@planted(toys.sine, "layout_dependent", source="flash-attention#91")
class CotangentViewed(twins.SineFunction):
    """view() refuses a cotangent that is transposed."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return (torch.cos(x).reshape(-1) * dy.view(-1)).reshape(x.shape)


@planted(toys.cube, "layout_dependent", source="flash-linear-attention PR#871")
class CotangentStridesFixed(twins.CubeFunction):
    """The cotangent is read with the strides of a contiguous one: wrong numbers for others."""

    generate_vmap_rule = False

    @staticmethod
    def backward(ctx, dy):
        return twins.CubeFunction.backward(ctx, _as_if_contiguous(dy))


@planted(toys.sigmoid, "layout_dependent", source="flash-attention PR#2777")
class InputStridesFixed(twins.SigmoidFunction):
    """The backward reads x with the strides of a contiguous one: wrong numbers for others."""

    generate_vmap_rule = False

    @staticmethod
    def backward(ctx, dy):
        x = _as_if_contiguous(ctx.saved_tensors[0])
        return torch.sigmoid(x) * torch.sigmoid(-x) * dy


@planted(toys.softplus, "layout_dependent")
class InputViewed(twins.SoftplusFunction):
    """The forward takes a view() of x, which must be contiguous."""

    @staticmethod
    def forward(x):
        return twins.SoftplusFunction.forward(x.view(-1)).reshape(x.shape)


@planted(toys.cube, "empty_crash", source="pytorch#45201")
class NoBlocks(twins.CubeFunction):
    """The gradient is put together from blocks, of which an empty tensor has none."""

    @staticmethod
    def backward(ctx, dy):
        x, g = ctx.saved_tensors[0].reshape(-1), dy.reshape(-1)
        blocks = [slice(k, k + 1024) for k in range(0, x.numel(), 1024)]
        return torch.cat([3 * x[b] ** 2 * g[b] for b in blocks]).reshape(dy.shape)


@planted(toys.sigmoid, "empty_crash", source="pytorch#31515")
class SmallestOfNone(twins.SigmoidFunction):
    """The forward has a shortcut for large numbers and looks at the smallest, which an empty tensor lacks."""

    generate_vmap_rule = False

    @staticmethod
    def forward(x):
        return torch.ones_like(x) if x.min() > 40 else torch.sigmoid(x)


@planted(toys.cube, "scalar_crash")
class BatchExpected(twins.CubeFunction):
    """The backward asks for the length of the first axis, which a single number lacks."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        three = x.new_full((x.shape[0],) + (1,) * (x.dim() - 1), 3.0)
        return three * x**2 * dy


@planted(toys.softplus, "scalar_crash")
class LastAxisExpected(twins.SoftplusFunction):
    """The backward slices the last axis, which a single number lacks."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return torch.sigmoid(x[..., :]) * dy


@planted(toys.sine, "mixes_batch")
class OffByOne(twins.SineFunction):
    """Each element gets the derivative of the one before it."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return torch.cos(x).reshape(-1).roll(1).reshape(x.shape) * dy


@planted(toys.softmax, "mixes_batch")
class AveragedOverTheBatch(twins.SoftmaxFunction):
    """The inner product of each row is replaced by its mean over the rows."""

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensors
        return y * (dy - (dy * y).sum(-1).mean())


@planted(toys.take_rows, "duplicate_index", source="pytorch#1631")
class LastOneWins(twins.TakeRowsFunction):
    """Of a row that is taken twice the last gradient counts; they are not added."""

    @staticmethod
    def backward(ctx, dy):
        x, i = ctx.saved_tensors
        return dy.new_zeros(x.shape).index_copy(0, i, dy), None


@planted(toys.take_rows, "duplicate_index")
class AveragedDuplicates(twins.TakeRowsFunction):
    """The gradients of a row that is taken twice are averaged, not added."""

    @staticmethod
    def backward(ctx, dy):
        x, i = ctx.saved_tensors
        taken = dy.new_zeros(len(x)).index_add(0, i, torch.ones_like(i, dtype=dy.dtype))
        return dy.new_zeros(x.shape).index_add(0, i, dy) / taken.clamp(min=1)[:, None], None
