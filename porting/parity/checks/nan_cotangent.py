"""A NaN in a cotangent: it must reach the gradient, or a fault upstream is hidden."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from porting.parity.checks import NotApplicableError, check
from porting.parity.checks.nan_input import NUMBERS, defined, ensure_nan_is_kept, same_nan, untouched, with_first
from porting.parity.checks.second_order import dy_names, second_order_case
from porting.parity.probe import Probe
from porting.runners import Case, Outcome


@check()
def nan_cotangent(probe: Probe) -> None:
    """A NaN in a cotangent makes NaN what the oracle makes NaN, and second derivatives that change with that number."""
    if probe.dtype not in {"float32", "float64"}:
        raise NotApplicableError("NaN is the same in every type; tested in float64 and float32")
    if not probe.independent:
        raise NotApplicableError("there is nothing to compare with")
    ensure_nan_is_kept(probe)
    for statics in probe.variants():
        _each(probe, probe.case("nan", statics=statics))
        if probe.op.truth == "oracle" and probe.op.memory is None and probe.op.contract.order > 1:
            _of_second(probe, statics)


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


def _of_second(probe: Probe, statics: Mapping[str, Any]) -> None:
    """Give each cotangent of the gradient a NaN: a second derivative that hangs on that number shows it.

    Whether one does is asked of the side itself, with two numbers in that place.
    """
    case = second_order_case(probe, statics)
    names = [*dy_names(case), *probe.op.wrt]
    for k, u in enumerate(case.ddx or ()):
        if not u.size:
            continue
        given = (with_first(u, first) for first in (np.nan, *NUMBERS[:2]))
        asked = (tuple(v if j == k else w for j, w in enumerate(case.ddx or ())) for v in given)
        outcomes = [probe.runner.run(replace(case, ddx=ddx)) for ddx in asked]
        if any(outcome.raised for outcome in outcomes):
            return  # `second_order` says so
        for name, *found in zip(names, *(outcome.second for outcome in outcomes), strict=True):
            with_nan, one, other = (None if g is None else np.asarray(g) for g in found)
            if with_nan is None or one is None or other is None or one.shape != other.shape:
                continue
            hidden = (one != other) & ~np.isnan(with_nan)
            said = {"quantity": "second", "name": name, "source": "second cotangent", "truth": probe.who}
            probe.fact(not hidden.any(), "nan_hidden", count=int(hidden.sum()), total=one.size, **said)


def _beside(probe: Probe, case: Case, outcome: Outcome, truth: Outcome) -> None:
    """Compare the gradients that have nothing to do with the NaN: a cotangent may be summed where it is only tested."""
    numbers = [np.isnan(a) for a in (*truth.vjp, *outcome.vjp) if a is not None]
    if len({mask.shape for mask in numbers}) == 1:
        probe.expect_vjp(case, outcome, how="nan cotangent", excused=np.logical_or.reduce(numbers))
