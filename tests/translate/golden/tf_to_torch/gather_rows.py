import torch


class GatherRowsFunction(torch.autograd.Function):
    @staticmethod
    def forward(table, indices):
        return table[indices]

    @staticmethod
    def setup_context(ctx, inputs, output):
        table, ctx.indices = inputs
        ctx.save_for_backward(table)

    @staticmethod
    def backward(ctx, dy):
        (table,) = ctx.saved_tensors
        rows = table.shape[0]
        return _segment_sum(dy, ctx.indices, rows), None


def gather_rows(table, indices):
    return GatherRowsFunction.apply(table, indices)


def _segment_sum(x, at, count):
    """The sums of the rows of x with each number; rows with a negative number are left out, as in TensorFlow."""
    rows = x.reshape(-1, *x.shape[at.ndim :])
    at = torch.where(at < 0, count, at).reshape(-1)
    return rows.new_zeros(count + 1, *rows.shape[1:]).index_add(0, at, rows)[:-1]
