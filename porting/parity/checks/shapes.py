"""Ranks: nothing, no axes, one element, batches."""

from typing import Final

from porting.parity.checks import ALL, check
from porting.parity.probe import Probe

_SHAPES: Final = ((), (1,), (0,), (3, 0, 2), (5,), (2, 3, 4))


@check(runners=ALL)
def shapes(probe: Probe) -> None:
    """0-d, empty, one-element, 1-D and batched inputs give values and gradients of the right shape and size."""
    for shape in _SHAPES:
        case = probe.case("shapes", shape=shape)
        outcome = probe.run(case)
        if outcome is None:
            continue
        probe.kind = "portability" if outcome.raw is not None and probe.runner.key == "torch" else "fault"
        for name, dx in zip(probe.op.wrt, outcome.vjp if outcome.raw is None else outcome.raw, strict=True):
            got = None if dx is None else list(dx.shape)
            probe.fact(
                got in (None, list(shape)),
                f"the backward returns {name}'s gradient as {got} for an input of {list(shape)}",
            )
        probe.kind = "fault"
        if probe.runner.key != "oracle":
            probe.expect_value(case, outcome)
            probe.expect_vjp(case, outcome)
