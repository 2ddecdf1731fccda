"""Wrong for some shapes, memory layouts, rows, indices, or for a few elements."""

# mypy: allow-untyped-defs, allow-untyped-calls

import torch

from porting.selftest.edits import planted_edits


def _as_if_contiguous(tensor):
    """Read the memory of a tensor row by row, whatever its strides."""
    return tensor.as_strided(tensor.shape, torch.empty(tensor.shape, device="meta").stride())


planted_edits(
    __name__,
    """
    CotangentViewed: sine, layout_dependent, flash-attention#91
        view() refuses a cotangent that is transposed.
        - return torch.cos(x) * dy
        + return (torch.cos(x).reshape(-1) * dy.view(-1)).reshape(x.shape)
    CotangentStridesFixed: cube, layout_dependent, flash-linear-attention PR#871
        The cotangent is read with the strides of a contiguous one: wrong numbers for others.
        - class CubeFunction(KeepsInputs):
        + class CubeFunction(KeepsInputs):
        +     generate_vmap_rule = False
        - return 3 * x**2 * dy
        + return 3 * x**2 * _as_if_contiguous(dy)
    InputStridesFixed: sigmoid, layout_dependent, flash-attention PR#2777
        The backward reads x with the strides of a contiguous one: wrong numbers for others.
        - class SigmoidFunction(KeepsInputs):
        + class SigmoidFunction(KeepsInputs):
        +     generate_vmap_rule = False
        - (x,) = ctx.saved_tensors
        + x = _as_if_contiguous(ctx.saved_tensors[0])
    InputViewed: softplus, layout_dependent
        The forward takes a view() of x, which must be contiguous.
        - return torch.logaddexp(torch.zeros_like(x), x)
        + flat = x.view(-1)
        + return torch.logaddexp(torch.zeros_like(flat), flat).reshape(x.shape)
    NoBlocks: cube, empty_crash, pytorch#45201
        The gradient is put together from blocks, of which an empty tensor has none.
        - (x,) = ctx.saved_tensors
        - return 3 * x**2 * dy
        + x, g = ctx.saved_tensors[0].reshape(-1), dy.reshape(-1)
        + blocks = [slice(k, k + 1024) for k in range(0, x.numel(), 1024)]
        + return torch.cat([3 * x[b] ** 2 * g[b] for b in blocks]).reshape(dy.shape)
    SmallestOfNone: sigmoid, empty_crash, pytorch#31515
        The forward has a shortcut for large numbers and looks at the smallest, which an empty tensor lacks.
        - class SigmoidFunction(KeepsInputs):
        + class SigmoidFunction(KeepsInputs):
        +     generate_vmap_rule = False
        - def forward(x):
        -     return torch.sigmoid(x)
        + def forward(x):
        +     return torch.ones_like(x) if x.min() > 40 else torch.sigmoid(x)
    BatchExpected: cube, scalar_crash
        The backward asks for the length of the first axis, which a single number lacks.
        - return 3 * x**2 * dy
        + three = x.new_full((x.shape[0],) + (1,) * (x.dim() - 1), 3.0)
        + return three * x**2 * dy
    LastAxisExpected: softplus, scalar_crash
        The backward slices the last axis, which a single number lacks.
        - return torch.sigmoid(x) * dy
        + return torch.sigmoid(x[..., :]) * dy
    OffByOne: sine, mixes_batch
        Each element gets the derivative of the one before it.
        - return torch.cos(x) * dy
        + return torch.cos(x).reshape(-1).roll(1).reshape(x.shape) * dy
    AveragedOverTheBatch: softmax, mixes_batch
        The inner product of each row is replaced by its mean over the rows.
        - return y * (dy - (dy * y).sum(-1, keepdim=True))
        + return y * (dy - (dy * y).sum(-1).mean())
    LastOneWins: take_rows, duplicate_index, pytorch#1631
        Of a row that is taken twice the last gradient counts; they are not added.
        - return dy.new_zeros(x.shape).index_add(0, i, dy), None
        + return dy.new_zeros(x.shape).index_copy(0, i, dy), None
    AveragedDuplicates: take_rows, duplicate_index
        The gradients of a row that is taken twice are averaged, not added.
        - return dy.new_zeros(x.shape).index_add(0, i, dy), None
        + taken = dy.new_zeros(len(x)).index_add(0, i, torch.ones_like(i, dtype=dy.dtype))
        + return dy.new_zeros(x.shape).index_add(0, i, dy) / taken.clamp(min=1)[:, None], None
    """,
)
