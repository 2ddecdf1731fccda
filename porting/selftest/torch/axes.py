"""Sums and lengths of the wrong axis, of too many axes, or of none."""

# mypy: allow-untyped-defs, allow-untyped-calls

from porting.selftest.edits import planted_edits


def _summed_in_front(dy, axes):
    added = dy.dim() - axes
    return dy.sum(tuple(range(added))) if added else dy


planted_edits(
    __name__,
    """
    SecondAxisForLast: softmax, wrong_axis
        The inner product is summed over the second axis: right for vectors and matrices, wrong for more axes.
        - return y * (dy - (dy * y).sum(-1, keepdim=True))
        + return y * (dy - (dy * y).sum(min(1, y.dim() - 1), keepdim=True))
    NumberOfRows: mean_square, wrong_axis
        The gradient is divided by the number of rows, not by their length.
        - return 2 * (x / x.shape[-1]) * dy.unsqueeze(-1)
        + return 2 * (x / x.shape[0]) * dy.unsqueeze(-1)
    NumberOfElements: mean_square, constant_factor
        The gradient is divided by the number of all elements, as if the mean were taken over all axes.
        - return 2 * (x / x.shape[-1]) * dy.unsqueeze(-1)
        + return 2 * (x / x.numel()) * dy.unsqueeze(-1)
    DiagonalOnly: softmax, forward_gradient_disagree
        y (1 - y) dy: the diagonal of the Jacobian, as if each element were a sigmoid of its own.
        - return y * (dy - (dy * y).sum(-1, keepdim=True))
        + return y * (1 - y) * dy
    AtMostTwoAxes: softmax, raises_in_backward
        The backward transposes with t(), which refuses more than two axes.
        - class SoftmaxFunction(KeepsInputs):
        + class SoftmaxFunction(KeepsInputs):
        +     generate_vmap_rule = False
        - (y,) = ctx.saved_tensors
        - return y * (dy - (dy * y).sum(-1, keepdim=True))
        + y, g = (a.t() for a in (*ctx.saved_tensors, dy))
        + return (y * (g - (g * y).sum(0))).t()
    OnesNotSummed: offset, missing_reduction
        The gradient is summed over axes that were added in front, not over those of length 1; PyTorch does it.
        - of_x, of_b = ctx.shapes
        - return dy.sum_to_size(of_x), dy.sum_to_size(of_b)
        + return tuple(_summed_in_front(dy, len(shape)) for shape in ctx.shapes)
    OneTermTransposed: self_product, transposed
        The second of two terms is transposed: dy^T x for x^T dy.
        - return dy @ x.mT + x.mT @ dy
        + return dy @ x.mT + dy.mT @ x
    CotangentOfTheBatch: scale_columns, mixes_batch
        The gradient of x has the mean of the cotangents over the rows, as that of b has their sum.
        - return dy * b, (dy * x).sum_to_size(b.shape)
        + rows = dy.reshape(-1, *b.shape)
        + mean = rows.mean(0, keepdim=True) if len(rows) else rows.sum(0, keepdim=True)
        + return (mean * b).expand_as(rows).reshape(dy.shape), (dy * x).sum_to_size(b.shape)
    """,
)
