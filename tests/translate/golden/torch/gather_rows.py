import torch


class GatherRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, table, index):
        ctx.save_for_backward(index)
        ctx.shape = table.shape
        return table.index_select(0, index)

    @staticmethod
    def backward(ctx, dy):
        index, = ctx.saved_tensors
        table = dy.new_zeros(ctx.shape)
        return table.index_add(0, index, dy), None
