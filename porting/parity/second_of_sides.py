"""What the second derivative of one side of a pair has to do with the gradients of both: neither need be the truth."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from porting.numeric import differences, samples
from porting.numeric.compare import of_float32
from porting.parity.probe import Array, Probe
from porting.recordings.memory import Recording
from porting.runners import Case, Outcome, runner_of

SAME: Final = 1e-6  # of the largest element: differences are not so exact as derivatives


def as_the_other(probe: Probe, case: Case, outcome: Outcome, by: Sequence[str]) -> set[str]:
    """Return by what the side that has the truth has the same second derivatives.

    Parameters
    ----------
    probe : Probe
        Who is asked; its op's truth is another side, or there is nothing to return.
    case : Case
        What was asked.
    outcome : Outcome
        What the side answered.
    by : sequence of str
        What each second derivative is by: the cotangents, then the inputs.
    """
    if not _has_another(probe) or probe.op.memory is not None:
        return set()
    theirs = runner_of(probe.op, probe.op.truth).run(case)
    if theirs.raised or len(theirs.second) != len(outcome.second):
        return set()
    return {name for name, *two in zip(by, outcome.second, theirs.second, strict=True) if _are_same(*two)}


def as_its_own(probe: Probe, case: Case, outcome: Outcome, by: Sequence[str], wrt: Sequence[int]) -> Collection[str]:
    """Return by what the second derivatives are those of the side's own gradient, as differences of it say.

    Where they are, and are not those of the other side's gradient, the two gradients part beside these inputs: on the
    unit sphere, or for symmetric matrices, two formulas may be the same, which are not so elsewhere. `by` and the rest
    are as in `as_the_other`; `wrt` has the places of what is differentiated by, among cotangents and inputs.
    """
    dy = case.dy or ()
    if not (_has_another(probe) and _is_live(probe)):
        return set()
    place = case.arguments

    def gradient(at: Sequence[Array]) -> tuple[Array, ...]:
        if any(a.dtype != x.dtype for a, x in zip(at, place, strict=True)):
            raise TypeError("no complex step")  # a framework may drop an imaginary part: plain differences are taken
        inputs = dict(zip(case.inputs, at[len(dy) :], strict=True))
        first = probe.runner.run(replace(case, inputs=inputs, dy=tuple(at[: len(dy)]), ddx=None))
        if first.raised is not None or any(g is not None and g.dtype != np.float64 for g in first.vjp):
            raise _NoDifferencesError
        zeros = (np.zeros(inputs[name].shape) for name in probe.op.wrt)
        return tuple(z if g is None else g for g, z in zip(first.vjp, zeros, strict=True))

    second = dict(zip(by, zip(wrt, outcome.second, strict=True), strict=True))
    try:
        near = {name for name, (n, got) in second.items() if agrees_along(gradient, case, n, got)}
        rest = {name: those for name, those in second.items() if name not in near}
        own, error = differences.vjp(lambda *at: gradient(at), place, case.ddx or (), [n for n, _ in rest.values()])
    except _NoDifferencesError:
        return set()
    parts = zip(rest.items(), own, error, strict=True)
    return near | {name for (name, (_, got)), want, unsure in parts if _is_near(_or_zeros(got, want), want, unsure)}


def agrees_along(gradient: Callable[[Sequence[Array]], Any], case: Case, n: int, second: Array | None) -> bool:
    """Whether a second derivative is that of a gradient along one direction of a cotangent or input, the n-th of them.

    The direction has all numbers between 1 and 2, of either sign: one wrong element shows as it is, and that several
    take each other away is a coincidence in as many digits as are compared. It takes six calls, where differences by
    each element take twelve for each of these. What does not agree is not known to be wrong.
    """
    x = case.arguments[n]
    got = _or_zeros(second, x)
    if x.dtype != np.float64 or got.dtype != np.float64 or got.shape != x.shape:
        return False
    rng = samples.generator(0, case.op.name, "along", str(n))
    step = rng.uniform(1.0, 2.0, x.shape) * rng.choice([-1.0, 1.0], x.shape)

    def along(t: Array) -> tuple[Array, ...]:
        return differences.as_tuple(gradient([x + t * step if k == n else a for k, a in enumerate(case.arguments)]))

    (slope,) = differences.Around(along, [np.zeros(())], [0]).slopes(case.ddx or ())
    return bool(np.abs(slope - np.sum(got * step)) <= SAME * size([got]))  # a NaN is not near


def _or_zeros(g: Array | None, x: Array) -> Array:
    return np.zeros(x.shape) if g is None else g


def has_few_digits(probe: Probe, case: Case) -> bool:
    """Whether the side that has the truth answers in float64 with gradients that have the digits of float32 alone."""
    if not _has_another(probe) or probe.op.memory is not None:
        return False
    theirs = runner_of(probe.op, probe.op.truth).run(replace(case, ddx=None))
    return theirs.raised is None and any(g is not None and of_float32(g) for g in theirs.vjp)


class _NoDifferencesError(Exception):
    """The side raised beside a place where it answers, or has other digits than float64."""


def _has_another(probe: Probe) -> bool:
    """Whether the truth is another side."""
    return probe.op.truth not in {"oracle", probe.runner.key}


def _is_live(probe: Probe) -> bool:
    """Whether this side can be asked anything: of a recording, the side that is checked against it."""
    memory = probe.op.memory
    return memory is None or (isinstance(memory, Recording) and probe.runner.key not in probe.op.answers)


def _is_near(got: Array, want: Array, unsure: Array) -> bool:
    if got.shape != want.shape or not np.isfinite(want).all():
        return False
    return bool((np.abs(got - want) <= SAME * size([want]) + 4 * unsure).all())


def _are_same(one: Array | None, other: Array | None) -> bool:
    """Whether two sides have the same numbers, NaN and infinity included; where a side gives nothing, it is 0."""
    there = one if one is not None else other
    if there is None:
        return True
    a, b = (np.zeros_like(there) if x is None else x for x in (one, other))
    if a.shape != b.shape:
        return False
    with np.errstate(invalid="ignore"):
        near = np.abs(a - b) <= SAME * size([b[np.isfinite(b)]])
    return bool((near | (a == b) | (np.isnan(a) & np.isnan(b))).all())


def size(arrays: Sequence[Any]) -> float:
    """Return the size of the largest element of some arrays."""
    return max((float(np.abs(a).max(initial=0)) for a in arrays), default=0.0)
