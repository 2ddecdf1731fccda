"""Ranks: nothing, no axes, one element, batches."""

from dataclasses import replace
from itertools import product
from typing import Final

from porting.errors import NoTruthError
from porting.parity.checks import ALL, check
from porting.parity.probe import Probe

_SHAPES: Final = ((), (1,), (0,), (3, 0, 2), (5,), (2, 3, 4))
_LENGTHS: Final = ((4, 5, 3, 2, 6), (1, 1, 1, 1, 1), (7, 3, 2, 5, 4))  # of axes that the contract names


@check(runners=ALL)
def shapes(probe: Probe) -> None:
    """0-d, empty, one-element, 1-D and batched inputs give values and gradients of the right shape and size."""
    seen: set[str] = set()
    for shape, lengths in product(_SHAPES, _LENGTHS if probe.op.contract.shapes else _LENGTHS[:1]):
        shapes = probe.shapes(shape, lengths)
        if str(shapes) in seen:
            continue
        seen.add(str(shapes))
        try:
            case = probe.case("shapes", shape=shape, lengths=lengths)
            outcome = probe.run(replace(case, raw=True))
        except NoTruthError:
            continue  # both sides of a pair refuse this shape
        if outcome is None:
            continue
        probe.kind = "portability" if outcome.raw is not None and probe.runner.key == "torch" else "fault"
        for name, dx in zip(probe.op.wrt, outcome.vjp if outcome.raw is None else outcome.raw, strict=True):
            wanted = tuple(shapes[name])
            if dx is not None:
                probe.fact(dx.shape == wanted, "raw_shape", name=name, got_shape=dx.shape, want_shape=wanted)
            else:
                probe.compared += 1
        probe.kind = "fault"
        if probe.runner.key != "oracle":
            probe.expect_value(case, outcome)
            probe.expect_vjp(case, outcome)
