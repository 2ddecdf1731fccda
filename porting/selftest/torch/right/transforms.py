"""Rules for vmap and forward mode that are right and look as if something were forgotten."""

# mypy: allow-untyped-defs, allow-untyped-calls

import torch

from porting.selftest import toys
from porting.selftest.planted import right
from porting.selftest.torch import twins


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


class _KeepsForBoth(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)


@right(toys.cube)
class TangentThreeTimes(_KeepsForBoth):
    """Forward mode adds the tangent's product three times; reverse mode multiplies by 3."""

    forward = staticmethod(twins.CubeFunction.forward)
    backward = staticmethod(twins.CubeFunction.backward)

    @staticmethod
    def jvp(ctx, tx):
        (x,) = ctx.saved_tensors
        part = x * tx * x
        return part + part + part


@right(toys.product)
class TangentsMayBeMissing(_KeepsForBoth):
    """Forward mode takes no tangent for one of 0."""

    forward = staticmethod(twins.ProductFunction.forward)
    backward = staticmethod(twins.ProductFunction.backward)

    @staticmethod
    def jvp(ctx, tx1, tx2):
        x1, x2 = ctx.saved_tensors
        of_first = 0 if tx1 is None else 2 * x1 * tx1 * x2
        return of_first + (0 if tx2 is None else x1 * tx2 * x1)


@right(toys.sin_cos)
class TwoTangents(_KeepsForBoth):
    """Forward mode returns two tangents from one, the second with a sign of its own."""

    forward = staticmethod(twins.SinCosFunction.forward)
    backward = staticmethod(twins.SinCosFunction.backward)

    @staticmethod
    def jvp(ctx, tx):
        (x,) = ctx.saved_tensors
        return torch.cos(x) * tx, -torch.sin(x) * tx


@right(toys.sigmoid)
class SameForBoth(_KeepsForBoth):
    """One function is backward and jvp: the Jacobian is a diagonal, so it is its own transpose."""

    forward = staticmethod(twins.SigmoidFunction.forward)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return torch.sigmoid(x) * torch.sigmoid(-x) * dy

    jvp = backward
