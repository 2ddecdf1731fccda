"""Inputs of different shapes, where the oracle takes them."""

from dataclasses import replace
from typing import Final

import numpy as np

from porting.errors import NoTruthError, PortingError
from porting.numeric import samples
from porting.parity.checks import TWINS, NotApplicableError, check
from porting.parity.probe import Probe

_SHAPES: Final = (((3, 4), (4,)), ((4,), (3, 4)), ((3, 1), (1, 4)), ((3, 4), ()))


@check(runners=TWINS, once=True)
def broadcast(probe: Probe) -> None:
    """Inputs that are broadcast get gradients of their own shapes: summed over the axes along which they repeat."""
    op = probe.op
    if len(op.inputs) < 2 or op.contract.shapes:
        raise NotApplicableError("there are not two inputs of free shape")
    if op.truth != "oracle":
        raise NotApplicableError("without an oracle nobody says whether the inputs may be broadcast")
    rng = samples.generator(probe.seed, op.name, "broadcast")
    for shapes in _SHAPES:
        inputs = {
            name: samples.draw(rng, shapes[k % 2], probe.dtype, bounds)
            for k, (name, bounds) in enumerate(probe.bounds().items())
        }
        with np.errstate(all="ignore"):
            try:
                case = probe.case("broadcast", inputs=inputs)
                probe.truth(case)
            except (PortingError, NoTruthError, ValueError):
                continue  # the oracle does not broadcast here, so nothing is promised
        given = " and ".join(str(list(shape)) for shape in shapes)
        outcome = probe.run(replace(case, raw=True), "broadcast", shapes_given=given)
        if outcome is not None:
            probe.expect_value(case, outcome, how="broadcast", shapes_given=given)
            probe.expect_vjp(case, outcome, how="broadcast", shapes_given=given)
            for name, raw in zip(op.wrt, outcome.raw or (), strict=False):
                if raw is not None and outcome.raw is not outcome.vjp:
                    own = inputs[name].shape
                    said = {"name": name, "got_shape": raw.shape, "want_shape": own}
                    probe.fact(raw.shape == own, "raw_shape", "portability", **said)
    if not probe.compared and not probe.findings:
        raise NotApplicableError("the oracle does not sum gradients over broadcast axes")
