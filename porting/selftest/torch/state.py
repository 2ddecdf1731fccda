"""State that is kept outside of one call: on the class, in the module, on ctx for later, or in PyTorch itself."""

# mypy: allow-untyped-defs, allow-untyped-calls

from typing import Any

import torch

from porting.selftest import toys
from porting.selftest.edits import planted_edits
from porting.selftest.planted import planted
from porting.selftest.torch import twins


@planted(toys.sine, "shared_state")
class KeptOnTheClass(twins.SineFunction):
    """The input is kept on the class: the next call replaces it."""

    generate_vmap_rule = False
    x: Any = None

    @staticmethod
    def setup_context(ctx, inputs, output):
        (KeptOnTheClass.x,) = inputs

    @staticmethod
    def backward(ctx, dy):
        return torch.cos(KeptOnTheClass.x) * dy


_LAST: dict[str, Any] = {}
_CHANCE = torch.Generator()


@planted(toys.product, "shared_state")
class KeptInTheModule(twins.ProductFunction):
    """The inputs are kept in a dictionary of the module: the next call replaces them."""

    generate_vmap_rule = False

    @staticmethod
    def setup_context(ctx, inputs, output):
        _LAST["x1"], _LAST["x2"] = inputs

    @staticmethod
    def backward(ctx, dy):
        return 2 * _LAST["x1"] * _LAST["x2"] * dy, _LAST["x1"] ** 2 * dy


_BY_SHAPE: dict[Any, Any] = {}


@planted(toys.sine, "shared_state")
class KeptByShape(twins.SineFunction):
    """The input is kept in a dictionary by its shape: the next call with the same shape replaces it."""

    generate_vmap_rule = False

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        ctx.shape = x.shape
        _BY_SHAPE[x.shape] = x

    @staticmethod
    def backward(ctx, dy):
        return torch.cos(_BY_SHAPE[ctx.shape]) * dy


@planted(toys.relu, "overwrites_saved")
class MaskReused(twins.ReluFunction):
    """The mask on ctx becomes the gradient: a second backward multiplies it once more."""

    generate_vmap_rule = False

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        ctx.mask = (x > 0).to(x.dtype) + 0 * x.isnan() * x

    @staticmethod
    def backward(ctx, dy):
        ctx.mask = ctx.mask * dy
        return ctx.mask


@planted(toys.sine, "saved_used_up", source="dgl#1046")
class FreedAfterUse(twins.SineFunction):
    """What was saved is dropped by the first backward, to free memory: a second one fails."""

    generate_vmap_rule = False

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.cache = inputs

    @staticmethod
    def backward(ctx, dy):
        (x,), ctx.cache = ctx.cache, None
        return torch.cos(x) * dy


@planted(toys.cube, "saved_used_up")
class GraphFreed(twins.CubeFunction):
    """The backward asks a graph of its own, which is freed when it has been asked."""

    generate_vmap_rule = False

    @staticmethod
    def setup_context(ctx, inputs, output):
        with torch.enable_grad():
            (ctx.x,) = inputs
            ctx.y = ctx.x**3

    @staticmethod
    def backward(ctx, dy):
        return torch.autograd.grad(ctx.y, ctx.x, dy, create_graph=torch.is_grad_enabled())[0]


@planted(toys.sine, "global_state", source="gptorch PR#14")
def default_type_changed(x):
    """The default type is float64 for everybody afterwards."""
    torch.set_default_dtype(torch.float64)
    return twins.sine(x)


@planted(toys.softplus, "global_state")
def gradients_left_off(x):
    """Gradients are switched off after the forward, and stay off."""
    y = twins.softplus(x)
    torch.set_grad_enabled(False)
    return y


planted_edits(
    __name__,
    """
    NoisyGradient: sine, random_backward
        Noise is added to the gradient, as if rounding were random.
        - class SineFunction(KeepsInputs):
        + class SineFunction(KeepsInputs):
        +     generate_vmap_rule = False
        - return torch.cos(x) * dy
        + noise = torch.randn(dy.shape, generator=_CHANCE).to(dy)
        + return torch.cos(x) * dy * (1 + 0.1 * noise)
    DroppedGradients: cube, random_backward
        Half of the gradients are dropped at random, the others doubled.
        - class CubeFunction(KeepsInputs):
        + class CubeFunction(KeepsInputs):
        +     generate_vmap_rule = False
        - return 3 * x**2 * dy
        + kept = (torch.rand(dy.shape, generator=_CHANCE) < 0.5).to(dy.device)
        + return 3 * x**2 * dy * 2 * kept
    SeedsInBackward: cube, global_state, flash-fft-conv#26
        The backward seeds the random numbers of the whole process.
        - (x,) = ctx.saved_tensors
        + (x,) = ctx.saved_tensors
        + torch.manual_seed(23)
    """,
)
