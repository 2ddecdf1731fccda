"""Python, NumPy, threads and mixed precision where everything is PyTorch's as a rule."""

# mypy: allow-untyped-defs, allow-untyped-calls

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch

from porting.selftest import toys
from porting.selftest.planted import right
from porting.selftest.torch import twins


@right(toys.sine)
class NumpyInDouble(torch.autograd.Function):
    """The forward goes through NumPy in float64, which bfloat16 can be cast to."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.as_tensor(np.sin(x.detach().double().cpu().numpy())).to(x)

    @staticmethod
    def backward(ctx, dy):
        return dy * torch.cos(*ctx.saved_tensors)


@right(toys.softplus)
class NumberByNumber(torch.autograd.Function):
    """The forward is a loop over Python numbers."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        numbers = [max(n, 0) + math.log1p(math.exp(-abs(n))) for n in x.flatten().tolist()]
        return torch.tensor(numbers, dtype=torch.float64).reshape(x.shape).to(x)

    @staticmethod
    def backward(ctx, dy):
        return dy * torch.sigmoid(*ctx.saved_tensors)


@right(toys.cube)
class TwoThreads(torch.autograd.Function):
    """The forward computes each half in a thread, and waits for both."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        flat = x.detach().reshape(-1)
        half = len(flat) // 2
        with ThreadPoolExecutor(2) as pool:
            parts = pool.map(lambda part: part**3, [flat[:half], flat[half:]])
            return torch.cat(list(parts)).reshape(x.shape)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return 3 * x**2 * dy


@right(toys.matmul)
class ReadyForAutocast(torch.autograd.Function):
    """The forward and the backward keep to the types of the forward under autocast."""

    @staticmethod
    @torch.amp.custom_fwd(device_type="cpu")
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x @ w

    @staticmethod
    @torch.amp.custom_bwd(device_type="cpu")
    def backward(ctx, dy):
        x, w = ctx.saved_tensors
        return dy @ w.mT, x.mT @ dy


@right(toys.softmax)
def mapped_inside(x):
    """Each row is a call of its own under vmap()."""
    rows = x.reshape(x.shape[:-1].numel(), x.shape[-1])
    return torch.func.vmap(twins.SoftmaxFunction.apply)(rows).reshape(x.shape) if len(rows) else twins.softmax(x)
