"""A NaN in a cotangent: it must reach the gradient, or a fault upstream is hidden."""

from dataclasses import replace
from functools import partial

import numpy as np

from porting.parity.checks import NotApplicableError, check
from porting.parity.checks.nan_input import NUMBERS, defined, ensure_nan_is_kept, same_nan, untouched, with_first
from porting.parity.probe import Probe
from porting.runners import Case, Outcome


@check()
def nan_cotangent(probe: Probe) -> None:
    """A NaN in a cotangent makes those gradients NaN that the oracle makes NaN, wherever the derivative is not 0."""
    if probe.dtype not in {"float32", "float64"}:
        raise NotApplicableError("NaN is the same in every type; tested in float64 and float32")
    if not probe.independent:
        raise NotApplicableError("there is nothing to compare with")
    ensure_nan_is_kept(probe)
    for statics in probe.variants():
        _each(probe, probe.case("nan", statics=statics))


def _each(probe: Probe, base: Case) -> None:
    """Give each cotangent a NaN."""
    plain, (_, gradients) = probe.truth(base), defined(probe, base)
    for k, v in enumerate(base.dy or ()):
        if not v.size or k in probe.op.contract.nondiff:
            continue
        given = [with_first(v, first) for first in (np.nan, *NUMBERS)]
        case, *others = (
            replace(base, dy=tuple(u if j == k else w for j, w in enumerate(base.dy or ()))) for u in given
        )
        outcome = probe.run(case, "nan cotangent")
        if outcome is None:
            continue
        truth = probe.truth(case)
        parts = zip(probe.op.wrt, outcome.vjp, truth.vjp, plain.vjp, strict=True)
        for j, (name, dx, want, usual) in enumerate(parts):
            if dx is not None and want is not None and usual is not None:
                own = np.ones(want.shape, dtype=bool)  # a derivative of 0 may let NaN through or not, at its own place
                if want.shape == v.shape:
                    own[...] = False
                    own.reshape(-1)[0] = True
                judged = ~(own & (usual == 0)) & gradients.get(j, True)
                free = partial(untouched, probe, others, j)
                same_nan(probe, "gradient", name, "cotangent", dx, want, free, judged)
        if probe.op.truth == "oracle":
            _beside(probe, case, outcome, truth)


def _beside(probe: Probe, case: Case, outcome: Outcome, truth: Outcome) -> None:
    """Compare the gradients that have nothing to do with the NaN: a cotangent may be summed where it is only tested."""
    numbers = [np.isnan(a) for a in (*truth.vjp, *outcome.vjp) if a is not None]
    if len({mask.shape for mask in numbers}) == 1:
        probe.expect_vjp(case, outcome, how="nan cotangent", excused=np.logical_or.reduce(numbers))
