"""Rules for vmap, forward mode and complex numbers that are there and wrong."""

# mypy: allow-untyped-defs, allow-untyped-calls

import torch

from porting.selftest import toys
from porting.selftest.edits import planted_edits
from porting.selftest.planted import planted
from porting.selftest.torch import twins
from porting.selftest.torch.shaped import KeepsForBoth


@planted(toys.sine, "wrong_vmap")
class BatchAlwaysFirst(twins.SineFunction):
    """The rule for vmap says that the batch is the first axis, wherever it is."""

    generate_vmap_rule = False

    @staticmethod
    def vmap(info, in_dims, x):
        return BatchAlwaysFirst.apply(x), 0


@planted(toys.product, "wrong_vmap")
class OneInputMoved(twins.ProductFunction):
    """The rule for vmap moves the batch axis of x1 to the front, not that of x2."""

    generate_vmap_rule = False

    @staticmethod
    def vmap(info, in_dims, x1, x2):
        return OneInputMoved.apply(x1.movedim(in_dims[0], 0), x2), 0


@planted(toys.cube, "wrong_vmap")
class BatchClaimedElsewhere(twins.CubeFunction):
    """The rule for vmap moves the batch to the front and says that it is where it was."""

    generate_vmap_rule = False

    @staticmethod
    def vmap(info, in_dims, x):
        return BatchClaimedElsewhere.apply(x.movedim(in_dims[0], 0)), in_dims[0]


@planted(toys.sine, "wrong_jvp")
class TangentNegative(KeepsForBoth, twins.SineFunction):
    """Forward mode has the wrong sign; reverse mode is right."""

    @staticmethod
    def jvp(ctx, tx):
        (x,) = ctx.saved_tensors
        return -torch.cos(x) * tx


@planted(toys.cube, "wrong_jvp")
class TangentTooSmall(KeepsForBoth, twins.CubeFunction):
    """Forward mode lacks the factor 3; reverse mode is right."""

    @staticmethod
    def jvp(ctx, tx):
        (x,) = ctx.saved_tensors
        return x**2 * tx


@planted(toys.product, "wrong_jvp")
class OneTangentForgotten(KeepsForBoth, twins.ProductFunction):
    """Forward mode ignores the tangent of x2; reverse mode is right."""

    @staticmethod
    def jvp(ctx, tx1, tx2):
        x1, x2 = ctx.saved_tensors
        return 2 * x1 * x2 * tx1


planted_edits(
    __name__,
    """
    NotConjugated: square, missing_conjugate, pytorch#41857
        2 x dy: the conjugate of x is missing.
        - return 2 * x.conj() * dy
        + return 2 * x * dy
    ConjugatedAsInJax: square, missing_conjugate, jax#9110
        The whole gradient is conjugated: JAX's convention.
        - return 2 * x.conj() * dy
        + return (2 * x.conj() * dy).conj().resolve_conj()
    """,
)
