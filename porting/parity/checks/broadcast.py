"""Inputs of different shapes, where the oracle takes them."""

from contextlib import suppress
from dataclasses import replace
from typing import Final

import numpy as np

from porting.errors import NoTruthError, PortingError
from porting.numeric import samples
from porting.numeric.compare import compare, sum_to
from porting.parity.checks import NotApplicableError, check
from porting.parity.probe import Probe
from porting.runners import Case, Outcome, runner_of

UNSAID: Final = (
    "without an oracle nobody says whether the inputs may be broadcast; two --input of different shapes ask for it"
)
_BESIDE: Final = ((), (1,), (4,))  # an input without an oracle, where the first one is a matrix
_SHAPES: Final = (((3, 4), (4,)), ((4,), (3, 4)), ((3, 1), (1, 4)), ((3, 4), ()))


@check(once=True)
def broadcast(probe: Probe) -> None:
    """Inputs that are broadcast get gradients of their own shapes: summed over the axes along which they repeat."""
    op = probe.op
    if len(op.inputs) < 2 or op.contract.shapes:
        raise NotApplicableError("there are not two inputs of free shape")
    if op.truth != "oracle":
        _as_the_other_side(probe)
        return
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


def _as_the_other_side(probe: Probe) -> None:
    """Look at inputs that the other side sums the gradient of by itself, and whose values are the same on both sides.

    Nobody said that they may be broadcast: all that is judged is a gradient of another shape that is the other side's
    where it is summed.
    """
    op, measure = probe.op, runner_of(probe.op, probe.op.truth)
    if op.memory is None and op.truth != probe.runner.key:
        for place, name in enumerate(op.wrt):
            for shape in _BESIDE if name in op.inputs[1:] and name not in op.integer_types else ():
                base = probe.case("beside").inputs
                drawn = samples.draw(
                    samples.generator(probe.seed, op.name, "beside", name), shape, probe.dtype, probe.bounds()[name]
                )
                with np.errstate(all="ignore"), suppress(PortingError, NoTruthError):
                    case = probe.case("beside", inputs={**base, name: drawn})
                    _look_at(probe, case, place, measure.run(replace(case, raw=True)))
    if not probe.compared and not probe.findings:
        raise NotApplicableError(UNSAID)


def _look_at(probe: Probe, case: Case, place: int, theirs: Outcome) -> None:
    """Judge one gradient, if the other side's own backward returns it in the shape of the input."""
    name = probe.op.wrt[place]
    shape = case.inputs[name].shape
    own = theirs.raw[place] if theirs.raw and not theirs.raised and theirs.raw is not theirs.vjp else None
    outcome = probe.runner.run(case)
    got = outcome.vjp[place] if place < len(outcome.vjp) else None
    if own is None or own.shape != shape or outcome.raised or got is None or probe.output_differs(case, outcome):
        return
    values = zip(outcome.value, probe.truth(case).value, probe.value_tolerance(case), strict=True)
    summed, tol = sum_to(got, shape), probe.vjp_tolerance(case)[place]
    if summed is None or any(compare(*three, probe.arithmetic).bad for three in values):
        return
    want = probe.truth(case).vjp[place]
    if got.shape == shape or (want is not None and not compare(summed, want, 2 * tol, probe.arithmetic).bad):
        given = " and ".join(str(list(x.shape)) for x in case.inputs.values())
        of = {"quantity": "gradient", "name": name, "how": "broadcast", "shapes_given": given}
        probe.fact(got.shape == shape, "shape_differs", **of, got_shape=got.shape, want_shape=shape)
