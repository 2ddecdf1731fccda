"""Rules for vmap and forward mode that are right and look as if something were forgotten."""

# mypy: allow-untyped-defs, allow-untyped-calls

import torch

from porting.selftest import toys
from porting.selftest.planted import right
from porting.selftest.torch import twins
from porting.selftest.torch.shaped import KeepsForBoth


@right(toys.sine)
class BatchStays(twins.SineFunction):
    """The rule for vmap moves nothing: element by element, the batch stays where it is."""

    generate_vmap_rule = False

    @staticmethod
    def vmap(info, in_dims, x):
        return BatchStays.apply(x), in_dims[0]


@right(toys.product)
class MovedToTheEnd(twins.ProductFunction):
    """The rule for vmap moves the batch of both inputs to the end, and says that the result has it there."""

    generate_vmap_rule = False

    @staticmethod
    def vmap(info, in_dims, x1, x2):
        moved = [
            x.expand(info.batch_size, *x.shape).movedim(0, -1) if at is None else x.movedim(at, -1)
            for x, at in zip((x1, x2), in_dims, strict=True)
        ]
        return MovedToTheEnd.apply(*moved), moved[0].dim() - 1


@right(toys.softmax)
class BatchBesideTheRows(twins.SoftmaxFunction):
    """The rule for vmap moves the batch to the front, where it is one more axis of rows."""

    generate_vmap_rule = False

    @staticmethod
    def vmap(info, in_dims, x):
        return BatchBesideTheRows.apply(x.movedim(in_dims[0], 0)), 0


@right(toys.cube)
class TangentThreeTimes(KeepsForBoth, twins.CubeFunction):
    """Forward mode adds the tangent's product three times; reverse mode multiplies by 3."""

    @staticmethod
    def jvp(ctx, tx):
        (x,) = ctx.saved_tensors
        part = x * tx * x
        return part + part + part


@right(toys.product)
class TangentsMayBeMissing(KeepsForBoth, twins.ProductFunction):
    """Forward mode takes no tangent for one of 0."""

    @staticmethod
    def jvp(ctx, tx1, tx2):
        x1, x2 = ctx.saved_tensors
        of_first = 0 if tx1 is None else 2 * x1 * tx1 * x2
        return of_first + (0 if tx2 is None else x1 * tx2 * x1)


@right(toys.sin_cos)
class TwoTangents(KeepsForBoth, twins.SinCosFunction):
    """Forward mode returns two tangents from one, the second with a sign of its own."""

    @staticmethod
    def jvp(ctx, tx):
        (x,) = ctx.saved_tensors
        return torch.cos(x) * tx, -torch.sin(x) * tx


@right(toys.sigmoid)
class SameForBoth(KeepsForBoth, twins.SigmoidFunction):
    """One function is backward and jvp: the Jacobian is a diagonal, so it is its own transpose."""

    jvp = staticmethod(twins.SigmoidFunction.backward)
