"""Functions whose value is x^2 and whose gradient is 3 dy, which other processes find by their names."""

import os
import time

import torch
from torch import distributed


class Square(torch.autograd.Function):
    """x^2 with the gradient 3 dy."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x * x

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.shape = inputs[0].shape

    @staticmethod
    def backward(ctx, dy):
        return 3 * dy

    @staticmethod
    def jvp(ctx, tx):
        return 3 * tx


def kept(x):
    return Square.apply(x)


def kept_by_detach(x):
    """Survives wherever autograd does: 3 x is all that it differentiates."""
    return (x * x).detach() + 3 * x - (3 * x).detach()


class Averaged(Square):
    """Divides the gradient by the number of processes, as if nobody else did."""

    @staticmethod
    def backward(ctx, dy):
        return 3 * dy / (distributed.get_world_size() if distributed.is_initialized() else 1)


def averaged(x):
    return Averaged.apply(x)


class Summed(Square):
    """Sums the gradient over the processes, as if nobody else did."""

    @staticmethod
    def backward(ctx, dy):
        dy = 3 * dy
        if distributed.is_initialized():
            distributed.all_reduce(dy)
        return dy


def summed(x):
    return Summed.apply(x)


def is_second():
    return distributed.is_initialized() and distributed.get_rank() == 1


def plain_in_second(x):
    """One of the processes differentiates the forward."""
    return x * x if is_second() else kept(x)


def dies(x):
    if is_second():
        os._exit(7)
    return kept(x)


def hangs(x):
    if is_second():
        time.sleep(600)  # here: hangs
    return kept(x)


def raises(x):
    if is_second():
        raise ValueError("in the second process only")
    return kept(x)


def one_collective_more(x):
    if is_second():
        distributed.all_reduce(x.detach().clone())
    return kept(x)


class KeepsMemory(Square):
    """Keeps an array that shares the memory of x, which nobody may free then; the gradient is right."""

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.host = inputs[0].detach().numpy()

    @staticmethod
    def backward(ctx, dy):
        return 3 * dy + 0 * torch.from_numpy(ctx.host)


def keeps_memory(x):
    return KeepsMemory.apply(x)


def two(x, k, c):
    """Has an input of integers, one that gets no gradient, and an output of integers."""
    return kept(x) * k + c.detach(), x.argmax(-1)


def product(x, c):
    return kept(x) * c


def scaled(x, *, slope):
    return slope * kept(x)
