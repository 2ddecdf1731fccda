"""Settings of the process that are changed and put back, and threads that stay."""

# mypy: allow-untyped-defs, allow-untyped-calls

import warnings
from concurrent.futures import ThreadPoolExecutor

import torch

from porting.selftest import toys
from porting.selftest.planted import right
from porting.selftest.torch import twins


@right(toys.relu)
class SeedPutBack(torch.autograd.Function):
    """The backward seeds the random numbers of the process and puts their state back; it draws nothing that counts."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, dy):
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(1)
            kept = torch.rand(dy.shape) >= 0  # all of them
        return twins.ReluFunction.backward(ctx, dy) * kept.to(dy.device)


@right(toys.softplus)
def default_type_put_back(x):
    """The default type is float64 while the forward runs, and what it was afterwards."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        return twins.softplus(x)
    finally:
        torch.set_default_dtype(before)


@right(toys.sigmoid)
class WarningsOff(twins.SigmoidFunction):
    """The backward switches warnings off for itself, and they are as they were afterwards."""

    @staticmethod
    def backward(ctx, dy):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return twins.SigmoidFunction.backward(ctx, dy)


_POOL = ThreadPoolExecutor(4)


@right(toys.sine)
class PoolKept(torch.autograd.Function):
    """The forward computes in threads that live on after the call."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        parts = x.detach().reshape(-1).chunk(3)
        return torch.cat(list(_POOL.map(torch.sin, parts))).reshape(x.shape)

    @staticmethod
    def backward(ctx, dy):
        return dy * torch.cos(*ctx.saved_tensors)
