"""Zeros, tiny numbers, the ends of the exponential's range, kinks, ties: one element at a time."""

from collections.abc import Iterator

import numpy as np

from porting.numeric import samples
from porting.parity.cases import rounded
from porting.parity.checks import ALL, NotApplicableError, check
from porting.parity.probe import Array, Probe
from porting.runners import Case


@check(runners=ALL)
def special_values(probe: Probe) -> None:
    """At 0, -0 and tiny, 1, 5, 30, 95, 720 of both signs, value and gradient equal the oracle's, which has no NaN."""
    if all(name in probe.op.contract.prepare for name in probe.op.wrt):
        raise NotApplicableError("all inputs are prepared, so that no number can be put into them")
    for case in _cases(probe):
        outcome = probe.run(case)
        if outcome is None:
            return
        if probe.runner.key == "oracle":
            for what, arrays in (("value", outcome.value), ("gradient", outcome.vjp)):
                nan = any(a is not None and np.isnan(a).any() for a in arrays)
                inputs = ", ".join(f"{n} = {float(x.reshape(-1)[0]):g}" for n, x in case.inputs.items())
                probe.fact(not nan, f"the oracle's {what} is NaN at {inputs}")
            continue
        undecided = _beside_a_kink(probe, case)
        probe.expect_value(case, outcome, excused=undecided)
        probe.expect_vjp(case, outcome, excused=undecided)


def _cases(probe: Probe) -> Iterator[Case]:
    """Yield one-element cases: each input in turn at each special number, then all inputs at the same one."""
    base = probe.case("special values", shape=(1,))
    names = probe.op.wrt
    for number in samples.special_values(probe.dtype):
        for chosen in [*((name,) for name in names), *([names] if len(names) > 1 else [])]:
            if all(_inside(probe, name, number) for name in chosen):
                inputs = {**base.inputs, **{name: _first(base.inputs[name], number, probe.dtype) for name in chosen}}
                yield probe.case(f"special values {number!r}", inputs=inputs, statics=base.statics)


def _first(x: Array, number: float, dtype: str) -> Array:
    """Return a copy whose first element is the number."""
    copy = x.copy()
    copy.reshape(-1)[:1] = rounded(number, (1,), dtype)
    return copy


def _inside(probe: Probe, name: str, number: float) -> bool:
    bounds = probe.op.contract.domain.get(name)
    if name in probe.op.contract.prepare:
        return False
    return bounds is None or (isinstance(bounds, tuple) and bounds[0] <= number <= bounds[1])


def _beside_a_kink(probe: Probe, case: Case) -> Array:
    """Mark where rounding decides on which side of a kink an element lies."""
    beside = np.zeros((1,), dtype=bool)
    if probe.op.contract.shapes:
        return beside
    for name, places in probe.kinks(case.inputs, case.statics).items():
        x = case.inputs[name].astype(np.float64)
        for place in places:
            beside |= samples.near(x, [place], probe.dtype, margin=0.0) & (x != place)
    return beside
