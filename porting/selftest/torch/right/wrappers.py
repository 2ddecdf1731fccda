"""What stands around a Function: partials, modules, tuples, libraries, and looks at the numbers."""

# mypy: allow-untyped-defs, allow-untyped-calls

from functools import partial, update_wrapper
from typing import NamedTuple

import torch

from porting.selftest import toys
from porting.selftest.planted import right
from porting.selftest.torch import twins


def _power_of(twin, x, *, exponent=3):
    """The twin is a functools.partial, which has neither a name nor a code of its own."""
    return twin(x, exponent=exponent)


right(toys.power)(update_wrapper(partial(_power_of, twins.power), _power_of))


class _Module(torch.nn.Module):
    def forward(self, x):
        return twins.SigmoidFunction.apply(x)


@right(toys.sigmoid)
def module_called(x):
    """A module is made, called and dropped."""
    return _Module()(x)


class _SinCos(NamedTuple):
    sine: torch.Tensor
    cosine: torch.Tensor


@right(toys.sin_cos)
def named_tuple(x):
    """The outputs are in a named tuple."""
    return _SinCos(*twins.sin_cos(x))


@right(toys.sin_cos)
def one_function_in_a_list(x):
    """The outputs are in a list; the first has a Function, the second has PyTorch's own derivatives."""
    return [twins.SineFunction.apply(x), torch.cos(x)]


@torch.library.custom_op("porting_selftest::right_softplus", mutates_args=())
def _softplus(x: torch.Tensor) -> torch.Tensor:
    return torch.logaddexp(torch.zeros_like(x), x)


def _keep(ctx, inputs, output):
    ctx.save_for_backward(*inputs)


def _softplus_backward(ctx, dy):
    return dy * torch.sigmoid(*ctx.saved_tensors)


_softplus.register_autograd(_softplus_backward, setup_context=_keep)


@right(toys.softplus)
def library_op(x):
    """The op is registered in torch.library, and its backward with it."""
    return _softplus(x)


@right(toys.sigmoid)
def looks_first(x):
    """The wrapper looks at the numbers, which no vmap() would let it: the Function has a rule, the op promises none."""
    if x.numel() and x.abs().max() > 30:
        return twins.sigmoid(x.double()).to(x.dtype)
    return twins.sigmoid(x)


class _OwnKind(torch.Tensor):
    """A tensor like any other."""


@right(toys.cube)
def subclass_returned(x):
    """The output is of a subclass of Tensor."""
    return twins.cube(x).as_subclass(_OwnKind)
