"""Gradients of another number, shape, type or place than PyTorch, or TensorFlow after it, is owed."""

# mypy: allow-untyped-defs, allow-untyped-calls

from porting.selftest import toys
from porting.selftest.edits import planted_edits
from porting.selftest.planted import planted
from porting.selftest.torch import twins


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


planted_edits(
    __name__,
    """
    OneOfTwo: product, wrong_count
        One gradient is returned for two inputs.
        - return 2 * x1 * dy * x2, x1 * dy * x1
        + return 2 * x1 * dy * x2
    ThreeOfTwo: product, wrong_count, mojo_opset PR#263
        Three gradients are returned for two inputs.
        - return 2 * x1 * dy * x2, x1 * dy * x1
        + return 2 * x1 * dy * x2, x1 * dy * x1, dy
    none_for_the_static_forgotten: power, wrong_count, pytorch-image-comp-rnn#4
        The None for the exponent is missing.
        - return ctx.exponent * x ** (ctx.exponent - 1) * dy, None
        + return ctx.exponent * x ** (ctx.exponent - 1) * dy
    AxesKept: scale_columns, wrong_shape
        The gradient of b keeps the summed axes with length 1.
        - return dy * b, (dy * x).sum_to_size(b.shape)
        + return dy * b, (dy * x).sum_to_size((1,) * (x.dim() - 1) + b.shape)
    Flattened: cube, wrong_shape, pytorch#15223
        The gradient is returned as a vector.
        - return 3 * x**2 * dy
        + return (3 * x**2 * dy).reshape(-1)
    AlwaysDouble: sine, wrong_dtype, pytorch#143755
        The gradient is float64 whatever the input is.
        - return torch.cos(x) * dy
        + return torch.cos(x.double()) * dy.double()
    MaskInSingle: maximum, wrong_dtype, apex#488
        The mask has the default type: with it the gradients of 16-bit inputs become float32.
        - first = torch.where(x1 > x2, 1.0, torch.where(x1 == x2, 0.5, 0.0)).to(dy.dtype)
        + first = torch.where(x1 > x2, 1.0, torch.where(x1 == x2, 0.5, 0.0))
    DoubleOutput: cube, wrong_dtype
        The output is float64 whatever the input is.
        - return x**3
        + return x.double() ** 3
        - return 3 * x**2 * dy
        + return (3 * x.double() ** 2 * dy).to(x.dtype)
    NoneForTheSecond: product, missing_gradient
        None is returned for x2, as if it were a constant.
        - return 2 * x1 * dy * x2, x1 * dy * x1
        + return 2 * x1 * dy * x2, None
    NoneForTheScale: scale_columns, missing_gradient
        None is returned for b: the scale never learns.
        - return dy * b, (dy * x).sum_to_size(b.shape)
        + return dy * b, None
    NotSummed: scale_columns, missing_reduction, pytorch PR#8168
        The gradient of b is not summed over the axes that b was broadcast along; PyTorch does it.
        - return dy * b, (dy * x).sum_to_size(b.shape)
        + return dy * b, dy * x
    FirstRowOnly: scale_columns, missing_reduction
        The gradient of b is the first row's share, not the sum over the rows.
        - return dy * b, (dy * x).sum_to_size(b.shape)
        + return dy * b, (dy * x).reshape(-1, *b.shape)[:1].sum(0)
    WantedOnesFirst: product, wrong_slot
        The gradients that are wanted are returned first: with x2 alone, in the place of x1.
        - return 2 * x1 * dy * x2, x1 * dy * x1
        + gradients = zip((2 * x1 * dy * x2, x1 * dy * x1), ctx.needs_input_grad, strict=True)
        + wanted = [dx for dx, needed in gradients if needed]
        + return *wanted, *[None] * (2 - len(wanted))
    NeedsExchanged: product, wrong_slot
        Each gradient is computed if the other input wants one.
        - return 2 * x1 * dy * x2, x1 * dy * x1
        + dx1, dx2 = 2 * x1 * dy * x2, x1 * dy * x1
        + first, second = ctx.needs_input_grad
        + return dx1 if second else None, dx2 if first else None
    NothingWithoutTheFirst: matmul, wrong_slot, pytorch_wavelets#65
        No gradient at all if x wants none, though w may.
        - return dy @ w.mT, x.mT @ dy
        + return (dy @ w.mT, x.mT @ dy) if ctx.needs_input_grad[0] else (None, None)
    OffsetNotSummed: offset, missing_reduction, pytorch#15223
        The gradient of what is broadcast is left as large as the output; PyTorch sums it without a word.
        - of_x, of_b = ctx.shapes
        - return dy.sum_to_size(of_x), dy.sum_to_size(of_b)
        + return dy, dy
    """,
)
