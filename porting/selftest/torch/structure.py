"""Gradients of another number, shape, type or place than PyTorch, or TensorFlow after it, is owed."""

# mypy: allow-untyped-defs, allow-untyped-calls

import torch

from porting.selftest import toys
from porting.selftest.planted import planted
from porting.selftest.torch import twins


@planted(toys.product, "wrong_count")
class OneOfTwo(twins.ProductFunction):
    """One gradient is returned for two inputs."""

    @staticmethod
    def backward(ctx, dy):
        return twins.ProductFunction.backward(ctx, dy)[0]


@planted(toys.product, "wrong_count", source="mojo_opset PR#263")
class ThreeOfTwo(twins.ProductFunction):
    """Three gradients are returned for two inputs."""

    @staticmethod
    def backward(ctx, dy):
        return *twins.ProductFunction.backward(ctx, dy), dy


class _NoneForgotten(twins.PowerFunction):
    @staticmethod
    def backward(ctx, dy):
        return twins.PowerFunction.backward(ctx, dy)[0]


@planted(toys.power, "wrong_count", source="pytorch-image-comp-rnn#4")
def none_for_the_static_forgotten(x, *, exponent=3):
    """The None for the exponent is missing."""
    return _NoneForgotten.apply(x, exponent)


@planted(toys.scale_columns, "wrong_shape")
class AxesKept(twins.ScaleColumnsFunction):
    """The gradient of b keeps the summed axes with length 1."""

    @staticmethod
    def backward(ctx, dy):
        x, b = ctx.saved_tensors
        return dy * b, (dy * x).sum_to_size((1,) * (x.dim() - 1) + b.shape)


@planted(toys.cube, "wrong_shape", source="pytorch#15223")
class Flattened(twins.CubeFunction):
    """The gradient is returned as a vector."""

    @staticmethod
    def backward(ctx, dy):
        return twins.CubeFunction.backward(ctx, dy).reshape(-1)


@planted(toys.sine, "wrong_dtype", source="pytorch#143755")
class AlwaysDouble(twins.SineFunction):
    """The gradient is float64 whatever the input is."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return torch.cos(x.double()) * dy.double()


@planted(toys.maximum, "wrong_dtype", source="apex#488")
class MaskInSingle(twins.MaximumFunction):
    """The mask has the default type: with it the gradients of 16-bit inputs become float32."""

    @staticmethod
    def backward(ctx, dy):
        x1, x2 = ctx.saved_tensors
        first = torch.where(x1 > x2, 1.0, torch.where(x1 == x2, 0.5, 0.0))
        return dy * first, dy * (1 - first)


@planted(toys.cube, "wrong_dtype")
class DoubleOutput(twins.CubeFunction):
    """The output is float64 whatever the input is."""

    @staticmethod
    def forward(x):
        return x.double() ** 3

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return (3 * x.double() ** 2 * dy).to(x.dtype)


@planted(toys.product, "missing_gradient")
class NoneForTheSecond(twins.ProductFunction):
    """None is returned for x2, as if it were a constant."""

    @staticmethod
    def backward(ctx, dy):
        return twins.ProductFunction.backward(ctx, dy)[0], None


@planted(toys.scale_columns, "missing_gradient")
class NoneForTheScale(twins.ScaleColumnsFunction):
    """None is returned for b: the scale never learns."""

    @staticmethod
    def backward(ctx, dy):
        _, b = ctx.saved_tensors
        return dy * b, None


@planted(toys.scale_columns, "missing_reduction", source="pytorch PR#8168")
class NotSummed(twins.ScaleColumnsFunction):
    """The gradient of b is not summed over the axes that b was broadcast along; PyTorch does it."""

    @staticmethod
    def backward(ctx, dy):
        x, b = ctx.saved_tensors
        return dy * b, dy * x


@planted(toys.scale_columns, "missing_reduction")
class FirstRowOnly(twins.ScaleColumnsFunction):
    """The gradient of b is the first row's share, not the sum over the rows."""

    @staticmethod
    def backward(ctx, dy):
        x, b = ctx.saved_tensors
        return dy * b, (dy * x).reshape(-1, *b.shape)[:1].sum(0)


@planted(toys.product, "wrong_slot")
class WantedOnesFirst(twins.ProductFunction):
    """The gradients that are wanted are returned first: with x2 alone, in the place of x1."""

    @staticmethod
    def backward(ctx, dy):
        gradients = zip(twins.ProductFunction.backward(ctx, dy), ctx.needs_input_grad, strict=True)
        wanted = [dx for dx, needed in gradients if needed]
        return *wanted, *[None] * (2 - len(wanted))


@planted(toys.product, "wrong_slot")
class NeedsExchanged(twins.ProductFunction):
    """Each gradient is computed if the other input wants one."""

    @staticmethod
    def backward(ctx, dy):
        dx1, dx2 = twins.ProductFunction.backward(ctx, dy)
        first, second = ctx.needs_input_grad
        return dx1 if second else None, dx2 if first else None


@planted(toys.matmul, "wrong_slot", source="pytorch_wavelets#65")
class NothingWithoutTheFirst(twins.MatmulFunction):
    """No gradient at all if x wants none, though w may."""

    @staticmethod
    def backward(ctx, dy):
        return twins.MatmulFunction.backward(ctx, dy) if ctx.needs_input_grad[0] else (None, None)


class _MayBeNone(twins.SinCosFunction):
    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(*inputs)


@planted(toys.sin_cos, "undefined_cotangent", source="pytorch#12631")
class NoneNotExpected(_MayBeNone):
    """Cotangents may be None, and the backward multiplies by them."""


@planted(toys.sin_cos, "undefined_cotangent")
class AllOrNothing(_MayBeNone):
    """There is no gradient unless both outputs are used."""

    @staticmethod
    def backward(ctx, dy0, dy1):
        return None if dy0 is None or dy1 is None else twins.SinCosFunction.backward(ctx, dy0, dy1)


@planted(toys.offset, "missing_reduction", source="pytorch#15223")
class OffsetNotSummed(twins.OffsetFunction):
    """The gradient of what is broadcast is left as large as the output; PyTorch sums it without a word."""

    @staticmethod
    def backward(ctx, dy):
        return dy, dy
