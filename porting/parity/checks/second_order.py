"""The gradient's gradient: right, or refused; never silently wrong or detached."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any, Final

import numpy as np

from porting.errors import NoTruthError
from porting.numeric import differences, samples, tolerance
from porting.numeric.batched import Batched, Point
from porting.parity.allowed import Arrays, is_near, where_near
from porting.parity.checks import NotApplicableError, check
from porting.parity.probe import Array, Probe
from porting.parity.raised_twice import raised_with
from porting.parity.second_of_sides import SAME, agrees_along, as_its_own, as_the_other, has_few_digits, size
from porting.parity.truth import batched, natural_scale, once, vjp_of
from porting.runners import Case, Outcome
from porting.runners.base import SECOND

_NARROW: Final = (
    "a second derivative is compared in float64 only, and {} is the widest type that was asked for; "
    "where a side takes float64, --input NAME=float64[...] has it compared"
)
_STEPS: Final = "the other side's gradient has the digits of float32 only: differences of it are those of its steps"
_SHAPE: Final = (2, 3)  # each element costs a dozen evaluations of the oracle
_LENGTHS: Final = (3, 2, 4, 2, 3)
_FAR: Final = (30.0, -30.0, 720.0, -720.0)
_DRAWS: Final = 4  # one in twelve has numbers of one side only
_UNCERTAIN: Final = 0.01
_LONG, _LONGER = 100.0, 1000.0  # times a step of differences: beyond the steps and bends of a solver
_CHANGED: Final = 0.5  # of what a side is off by: differences over long steps that change by more decide nothing
_REACHED: Final = 0.2  # of what a side is off by: differences over even longer steps that come so near it acquit it
_MARGIN: Final = 0.05  # of how far the ends of a domain are apart; the longest steps are shorter
_FLOOR: Final = 1e-12  # of ordinary gradients: where all second derivatives are 0, one side may have rounding errors
# Rule R* allows for one gradient; a second derivative is the gradient of one. Of 1,860 right ones (79 ops, 12 seeds,
# both frameworks) two were off by 1.06 and 1.07 times what one gradient may be, where TensorFlow's tanh, wrong by 6
# roundoffs, is taken four times in a row; PyTorch's were off by 0.17 and 0.32 times it there.
_GRADIENTS: Final = 2


@check()
def second_order(probe: Probe) -> None:
    """Double backward equals differences of the oracle's gradient; an op of order 1 refuses it."""
    if probe.dtype != "float64":
        if probe.dtype == probe.op.widest and probe.op.contract.order > 1:  # no other type is asked
            probe.note = _NARROW.format(probe.dtype)
            return
        raise NotApplicableError("proven in float64, where differences of the oracle are exact enough")
    for statics in probe.variants():
        case = second_order_case(probe, statics)
        if probe.op.contract.order == 1:
            _refused(probe, probe.runner.run(case))
            continue
        answer = probe.runner.run(case)
        outcome = probe.accepted(case, answer, raised_with=raised_with(probe, case, answer))
        if outcome is None:
            return
        _compare(probe, case, outcome)
        none = [name for name, g in zip(probe.op.wrt, outcome.second[len(case.dy or ()) :], strict=False) if g is None]
        if none and probe.compared:
            probe.note = probe.note or f"there is none by {', '.join(none)}"
        if probe.op.truth == "oracle" and not probe.op.contract.shapes:
            _finite_far_out(probe, statics)


def second_order_case(probe: Probe, statics: Mapping[str, Any]) -> Case:
    """Return the first of some draws that has, of each input, numbers of both signs and of both sizes, and integers."""
    draws = (f"second order{f' {n}' if n else ''}" for n in range(_DRAWS))
    cases = [probe.case(label, shape=_SHAPE, lengths=_LENGTHS, statics=statics, order=2) for label in draws]
    best = max(cases, key=lambda case: sum(_sides(x) for n, x in case.inputs.items() if n in probe.op.wrt) + _set(case))
    return _within(probe, best)


def _within(probe: Probe, case: Case) -> Case:
    """Return a case whose numbers are so far from the ends of where they may be that differences stay there too."""
    bounds = {n: b for n, b in probe.bounds().items() if isinstance(b, tuple) and n in probe.op.wrt}
    inputs = dict(case.inputs)
    for name, (low, high) in bounds.items():
        if np.isfinite(low) and np.isfinite(high) and not np.iscomplexobj(inputs[name]):
            margin = _MARGIN * (high - low)
            inputs[name] = np.clip(inputs[name], low + margin, high - margin).astype(inputs[name].dtype)
    return replace(case, inputs=inputs)


def _set(case: Case) -> float:
    """Return the share of the integers that are not 0: where a mask takes nearly all away, nothing is compared."""
    integers = [x for x in case.inputs.values() if x.dtype.kind in "iu" and x.size]
    return float(np.mean([np.mean(x != 0) for x in integers])) if integers else 0.0


def _sides(x: Array) -> int:
    """Count on how many of four sides an input has elements: below and above 0, small and large."""
    x = np.real(x)
    return int((x < 0).any()) + int((x > 0).any()) + int((np.abs(x) < 1).any()) + int((np.abs(x) > 1).any())


def _refused(probe: Probe, outcome: Outcome) -> None:
    raised = outcome.raised
    instead = "numbers" if any(g is not None for g in outcome.second) else "None"
    refused = raised is not None and raised.stage == SECOND
    probe.fact(refused, "not_refused_twice", instead=str(raised or instead))


def _finite_far_out(probe: Probe, statics: Mapping[str, Any]) -> None:
    """Where exponentials overflow, the second derivative is finite if differences of the oracle's gradient are."""
    for name, number in product(probe.op.wrt, _FAR):
        if not probe.takes(name, number):
            continue
        base = probe.case("far out", shape=(1,), statics=statics, order=2)
        case = replace(base, inputs={**base.inputs, name: np.full(1, number)})
        outcome = probe.run(case, "at", of_input=name, number=number)
        if outcome is None:
            return
        _, by, _ = _as_function(case)
        want, _ = once("far out", case, probe.dtype, probe.seed, _differences)
        for what, got, truth in zip(by, outcome.second, want, strict=True):
            if got is not None and got.shape == truth.shape:
                shown = np.where(np.isfinite(got), truth, got)  # how exact it is, is judged nearer by
                any_size = np.full(truth.shape, np.finfo(np.float64).max)
                said = {"quantity": "second", "name": what}
                probe.expect("not_finite", said, shown, truth, any_size, case, ~np.isfinite(truth))


def _as_function(case: Case) -> tuple[Batched, list[str], list[int]]:
    """Return the oracle's gradient as a function of cotangents and inputs, and the names and places of these."""
    op, dy = case.op, case.dy or ()
    by = [*dy_names(case), *op.wrt]
    wrt = [*range(len(dy)), *(len(dy) + list(case.inputs).index(name) for name in op.wrt)]

    def gradient(at: Sequence[Array]) -> tuple[Array, ...]:
        v, inputs = at[: len(dy)], at[len(dy) :]
        found = differences.as_tuple(op.vjp(v[0] if len(v) == 1 else tuple(v), *inputs, **case.statics))
        named = dict(zip(op.inputs, inputs, strict=True))
        if op.truth != "oracle" and any(np.shape(g) != np.shape(named[n]) for g, n in zip(found, op.wrt, strict=True)):
            raise NoTruthError("the other side's gradient has another shape than its input")
        return found

    return batched("second order", gradient, case), by, wrt


def dy_names(case: Case) -> list[str]:
    """Return what findings call the cotangents, by which a gradient is differentiated too."""
    outputs = len(case.dy or ())
    return ["dy"] if outputs == 1 else [f"dy{k}" for k in range(outputs)]


def _differences(case: Case) -> differences.Derivative:
    gradient, _, wrt = _as_function(case)
    return differences.vjp(gradient, case.arguments, case.ddx or (), wrt)


class _Second:
    """The second derivatives as a function of a place and cotangents; those at one place follow from the same values.

    Of an op that works element by element, all elements are moved at once, fifty times faster.
    """

    def __init__(self, case: Case) -> None:
        self._gradient, _, self._wrt = _as_function(case)
        self._free = not case.op.contract.shapes

    def __call__(self, at: Sequence[Array], v: Sequence[Array]) -> tuple[Array, ...]:
        return self.many([(at, v)])[0]

    def many(self, points: Sequence[Point]) -> list[tuple[Array, ...]]:
        """Return the second derivatives at each point."""
        around: dict[int, differences.Around] = {}
        found = []
        for at, v in points:
            elementwise = self._free and len({np.shape(a) for a in (*at, *v)}) == 1
            if id(at) not in around:
                around[id(at)] = differences.Around(self._gradient, at, self._wrt, elementwise=elementwise)
            here = around[id(at)]
            found.append(here.slopes(v) if elementwise else here.vjp(v).value)
        return found


def _compare(probe: Probe, case: Case, outcome: Outcome) -> None:
    if has_few_digits(probe, case):
        raise NoTruthError(_STEPS)
    gradient, by, wrt = _as_function(case)
    live = probe.op.truth != "oracle" and probe.op.memory is None
    if live and all(agrees_along(gradient, case, n, g) for n, g in zip(wrt, outcome.second, strict=True)):
        probe.compared += sum(case.arguments[n].size for n in wrt)
        return
    (want, errors), allowed = _near(probe, case, outcome) or once(
        "second order", case, probe.dtype, probe.seed, partial(_expected, probe.dtype, probe.seed)
    )
    scale = size(want)
    silent = {f"dy{k}" for k in probe.op.contract.nondiff}
    first = "second order" if probe.op.truth in {"oracle", probe.runner.key} else probe.who
    alike = as_the_other(probe, case, outcome, by)
    own: Collection[str] | None = None  # some dozen calls, asked for where they are needed
    for name, got, truth, error, tol in zip(by, outcome.second, want, errors, allowed, strict=True):
        if name in silent:
            continue
        unsure = error > max(_UNCERTAIN * scale, 1e-300)
        also: dict[str, Any] = {"alike": True} if name in alike else {}
        array = np.zeros_like(truth) if got is None else got
        if own is None and array.shape == truth.shape and not is_near(array, truth, tol + 4 * error):
            own = as_its_own(probe, case, outcome, by, wrt)
        also |= {"own": True} if name in (own or ()) else {}
        if got is None and (np.abs(truth) > tol + 4 * error).any():
            probe.fact(False, "detached", by=name, **also)
            continue
        if live and array.shape == truth.shape and not is_near(array, truth, tol + 4 * error):
            unsure = unsure | _is_of_steps(case, by.index(name), array, truth)
        said = {"quantity": "second", "name": name, "truth": first, **also}
        probe.expect("differs", said, array, truth, tol + 4 * error, case, unsure)


def _is_of_steps(case: Case, n: int, got: Array, truth: Array) -> Array:
    """Tell of which elements differences over long steps do not say what those over short steps do.

    What a solver gives that stops early has steps, and bends between them that may be a hundred times as far apart:
    differences nearer by are those of one step, not of what it solves.
    """
    gradient, _, wrt = _as_function(case)
    long, longer = (
        differences.Around(gradient, case.arguments, wrt[n : n + 1], stretch=stretch).slopes(case.ddx or ())[0]
        for stretch in (_LONG, _LONGER)
    )
    off = np.abs(got - truth)
    return np.asarray((np.abs(long - truth) > _CHANGED * off) | (np.abs(longer - got) <= _REACHED * off))


def _near(probe: Probe, case: Case, outcome: Outcome) -> tuple[differences.Derivative, Arrays] | None:
    """Return the second derivatives and what is allowed at least, if everything that came is near; else nothing."""
    if probe.op.truth != "oracle" or probe.op.memory is not None:  # for another side a tolerance costs nothing
        return None
    want = once("second derivatives", case, probe.dtype, probe.seed, _differences)
    got = [np.zeros_like(w) if g is None else g for g, w in zip(outcome.second, want.value, strict=True)]
    least = [_GRADIENTS * tol for tol in tolerance.least_of_gradient(want.value, case.ddx or (), probe.dtype, 0.0)]
    part = tuple(tol + 4 * error for tol, error in zip(least, want.error, strict=True))
    return (want, tuple(least)) if where_near(case, got, want.value, [part]) else None


def _expected(dtype: str, seed: int, case: Case) -> tuple[differences.Derivative, Arrays]:
    """Return the second derivatives and how far off each may be."""
    op = case.op
    want = _differences(case)
    if op.truth != "oracle":  # R* would ask a twin some thousand times; differences of it are not more exact than this
        floor = _FLOOR * size([*(case.dy or ()), *(case.ddx or ())]) * natural_scale("gradient", vjp_of(case), case)
        return want, tuple(np.full(w.shape, SAME * np.abs(w).max(initial=0) + floor) for w in want.value)
    rng = samples.generator(seed, op.name, "tolerance of the second order")
    numbers = _Second(case)
    natural = natural_scale("second order", numbers, case, lengths=_LENGTHS, order=2)
    allowed = tolerance.of_gradient(numbers, case.arguments, case.ddx or (), dtype, rng, natural)
    return want, tuple(_GRADIENTS * tol for tol in allowed)
