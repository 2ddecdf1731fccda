"""First derivatives that are right and cannot be differentiated again, or wrongly."""

# mypy: allow-untyped-defs, allow-untyped-calls

import numpy as np
import torch
from torch.autograd.function import once_differentiable

from porting.selftest import toys
from porting.selftest.edits import planted_edits
from porting.selftest.planted import planted
from porting.selftest.torch import twins
from porting.selftest.torch.shaped import KeepsInputs


@planted(toys.product, "saved_intermediate", source="pytorch#76185")
class SquareSaved(twins.ProductFunction):
    """x1^2 is saved: PyTorch does not know that the gradient of x2 depends on x1."""

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs, inputs[0] ** 2)

    @staticmethod
    def backward(ctx, dy):
        x1, x2, square = ctx.saved_tensors
        return 2 * x1 * x2 * dy, square * dy


@planted(toys.self_product, "saved_intermediate")
class TransposeSaved(twins.SelfProductFunction):
    """A transposed copy of x is saved, and one of two terms depends on it alone."""

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs, inputs[0].mT.contiguous())

    @staticmethod
    def backward(ctx, dy):
        x, transposed = ctx.saved_tensors
        return dy @ transposed + x.mT @ dy


@planted(toys.sigmoid, "saved_intermediate", source="pytorch#58509")
class ComplementSaved(twins.SigmoidFunction):
    """1 - y is saved beside the output y: one factor of two is constant to PyTorch."""

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output, torch.sigmoid(-inputs[0]))

    @staticmethod
    def backward(ctx, dy):
        y, complement = ctx.saved_tensors
        return y * complement * dy


@planted(toys.sine, "saved_intermediate", source="pytorch#104040")
class DerivativeSaved(twins.SineFunction):
    """cos(x) is saved, so that the gradient does not depend on x at all."""

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(torch.cos(inputs[0]))

    @staticmethod
    def backward(ctx, dy):
        (cosine,) = ctx.saved_tensors
        return cosine * dy


@planted(toys.softplus, "detached")
class WithoutGraph(twins.SoftplusFunction):
    """The backward switches gradients off: it depends on nothing."""

    @staticmethod
    @torch.no_grad()
    def backward(ctx, dy):
        return twins.SoftplusFunction.backward(ctx, dy)


@planted(toys.sigmoid, "detached")
class ThroughNumpy(twins.SigmoidFunction):
    """The derivative is computed in NumPy."""

    generate_vmap_rule = False

    @staticmethod
    def backward(ctx, dy):
        e = np.exp(-np.abs(ctx.saved_tensors[0].detach().double().cpu().numpy()))
        return torch.as_tensor(e / (1 + e) ** 2).to(dy) * dy


@planted(toys.product, "second_order_refused", source="pytorch#2210")
class OnlyOnce(twins.ProductFunction):
    """The backward is marked as one that cannot be differentiated."""

    @staticmethod
    @once_differentiable
    def backward(ctx, dy):
        return twins.ProductFunction.backward(ctx, dy)


class _SoftplusGradient(KeepsInputs):
    @staticmethod
    def forward(x, dy):
        return torch.sigmoid(x) * dy


@planted(toys.sine, "second_order_refused")
class NumpyWithoutDetach(twins.SineFunction):
    """The backward calls numpy() on x, which is refused where a second derivative is wanted."""

    generate_vmap_rule = False

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return torch.as_tensor(np.cos(x.double().cpu().numpy())).to(dy) * dy


class _CubeGradient(KeepsInputs):
    @staticmethod
    def forward(x, dy):
        return 3 * x**2 * dy

    @staticmethod
    def backward(ctx, ddx):
        x, dy = ctx.saved_tensors
        return 3 * x * dy * ddx, 3 * x**2 * ddx


class _SineGradient(KeepsInputs):
    @staticmethod
    def forward(x, dy):
        return torch.cos(x) * dy

    @staticmethod
    def backward(ctx, ddx):
        x, dy = ctx.saved_tensors
        return torch.sin(x) * dy * ddx, torch.cos(x) * ddx


class _CleanedSineGradient(_SineGradient):
    @staticmethod
    def backward(ctx, ddx):
        x, dy = ctx.saved_tensors
        return (-torch.sin(x) * dy * ddx).nan_to_num(), (torch.cos(x) * ddx).nan_to_num()


planted_edits(
    __name__,
    """
    OutputComputedAgain: softmax, saved_intermediate
        What is saved is not the output but a softmax like it, which has no graph.
        - ctx.save_for_backward(output)
        + ctx.save_for_backward(torch.softmax(inputs[0], -1))
    Detached: cube, detached
        x is detached in the backward.
        - return 3 * x**2 * dy
        + return 3 * x.detach() ** 2 * dy
    DataOnly: sine, detached
        The backward computes with x.data.
        - return torch.cos(x) * dy
        + return torch.cos(x.data) * dy
    BufferReused: sigmoid, second_order_refused
        A buffer that the second derivative needs is overwritten by the first.
        - (x,) = ctx.saved_tensors
        - return torch.sigmoid(x) * torch.sigmoid(-x) * dy
        + y = torch.sigmoid(ctx.saved_tensors[0])
        + part = y * dy
        + return part * y.neg_().add_(1)
    NoBackwardOfBackward: softplus, second_order_refused, pytorch#18945
        The gradient is a Function of its own, which has no backward.
        - (x,) = ctx.saved_tensors
        - return torch.sigmoid(x) * dy
        + return _SoftplusGradient.apply(*ctx.saved_tensors, dy)
    HalfTheCurvature: cube, wrong_second_order
        The second derivative is written by hand, and is 3 x instead of 6 x.
        - (x,) = ctx.saved_tensors
        - return 3 * x**2 * dy
        + return _CubeGradient.apply(*ctx.saved_tensors, dy)
    CurvatureNegative: sine, wrong_second_order, tensorflow#34503
        The second derivative is written by hand, and is sin(x) instead of -sin(x).
        - (x,) = ctx.saved_tensors
        - return torch.cos(x) * dy
        + return _SineGradient.apply(*ctx.saved_tensors, dy)
    CurvatureCleaned: sine, nan_hidden
        The second derivative is written by hand, and has 0 for NaN.
        - (x,) = ctx.saved_tensors
        - return torch.cos(x) * dy
        + return _CleanedSineGradient.apply(*ctx.saved_tensors, dy)
    """,
)
