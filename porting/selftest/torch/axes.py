"""Sums and lengths of the wrong axis, of too many axes, or of none."""

# mypy: allow-untyped-defs, allow-untyped-calls

from porting.selftest import toys
from porting.selftest.planted import planted
from porting.selftest.torch import twins


@planted(toys.softmax, "wrong_axis")
class SecondAxisForLast(twins.SoftmaxFunction):
    """The inner product is summed over the second axis: right for vectors and matrices, wrong for more axes."""

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensors
        return y * (dy - (dy * y).sum(min(1, y.dim() - 1), keepdim=True))


@planted(toys.mean_square, "wrong_axis")
class NumberOfRows(twins.MeanSquareFunction):
    """The gradient is divided by the number of rows, not by their length."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return 2 * (x / x.shape[0]) * dy.unsqueeze(-1)


@planted(toys.mean_square, "constant_factor")
class NumberOfElements(twins.MeanSquareFunction):
    """The gradient is divided by the number of all elements, as if the mean were taken over all axes."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return 2 * (x / x.numel()) * dy.unsqueeze(-1)


@planted(toys.softmax, "forward_gradient_disagree")
class DiagonalOnly(twins.SoftmaxFunction):
    """y (1 - y) dy: the diagonal of the Jacobian, as if each element were a sigmoid of its own."""

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensors
        return y * (1 - y) * dy


@planted(toys.softmax, "raises_in_backward")
class AtMostTwoAxes(twins.SoftmaxFunction):
    """The backward transposes with t(), which refuses more than two axes."""

    generate_vmap_rule = False

    @staticmethod
    def backward(ctx, dy):
        y, g = (a.t() for a in (*ctx.saved_tensors, dy))
        return (y * (g - (g * y).sum(0))).t()


def _summed_in_front(dy, axes):
    added = dy.dim() - axes
    return dy.sum(tuple(range(added))) if added else dy


@planted(toys.offset, "missing_reduction")
class OnesNotSummed(twins.OffsetFunction):
    """The gradient is summed over axes that were added in front, not over those of length 1; PyTorch does it."""

    @staticmethod
    def backward(ctx, dy):
        return tuple(_summed_in_front(dy, len(shape)) for shape in ctx.shapes)


@planted(toys.self_product, "transposed")
class OneTermTransposed(twins.SelfProductFunction):
    """The second of two terms is transposed: dy^T x for x^T dy."""

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy @ x.mT + dy.mT @ x


@planted(toys.scale_columns, "mixes_batch")
class CotangentOfTheBatch(twins.ScaleColumnsFunction):
    """The gradient of x has the mean of the cotangents over the rows, as that of b has their sum."""

    @staticmethod
    def backward(ctx, dy):
        _, b = ctx.saved_tensors
        rows = dy.reshape(-1, *b.shape)
        mean = rows.mean(0, keepdim=True) if len(rows) else rows.sum(0, keepdim=True)
        return (mean * b).expand_as(rows).reshape(dy.shape), twins.ScaleColumnsFunction.backward(ctx, dy)[1]
