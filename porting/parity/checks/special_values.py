"""Zeros, tiny numbers, the ends of the exponential's range, kinks, ties: one element at a time."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, product
from typing import Any, Final, TypeAlias

import numpy as np

from porting.dtypes import smallest_normal, unit_roundoff, wide
from porting.numeric import samples
from porting.numeric.compare import nearly
from porting.parity.cases import with_number
from porting.parity.checks import ALL, NotApplicableError, check
from porting.parity.probe import Array, Probe
from porting.parity.truth import rows_apart
from porting.runners import RUNNERS, Case, Outcome

At: TypeAlias = Mapping[str, Any]  # of which input which number it is, for one number alone
_DRAWS: Final = 16  # of the signs of roundings
_ROUNDINGS: Final = 4
_TRIED: Final = 3  # cases that are off: whose forward is another one is off in all
_FEW: Final = 3  # values of an integer that is a mask, or a choice
_ROOM, _ROOM_IN_HALF = 2.0**20, 2.0**3  # what the smallest number may be divided by
_LARGER: Final = 2.0  # than this a cotangent is beside the smallest number


@check(runners=ALL)
def special_values(probe: Probe) -> None:
    """At 0, -0, tiny, 1/2 to 6, 21, 30, 95, 720 of both signs, value and gradient equal the oracle's, without NaN."""
    if all(name in probe.op.contract.prepare for name in probe.op.wrt):
        raise NotApplicableError("all inputs are prepared, so that no number can be put into them")
    base = probe.case("special values", shape=probe.as_deep_as_taken((1,)))
    rows, others = rows_apart(base, probe.seed), 0  # how many are off by something else than a tie
    for case, at in _together(probe, base) if rows else _one_by_one(probe, base):
        outcome = probe.runner.run(case)
        if outcome.raised:
            _told_where(probe, base, case, outcome, at)
            return
        if probe.runner.key == "oracle":
            _no_nan(probe, case, outcome)
            continue
        if others < _TRIED and _differs(probe, case, outcome):
            if _is_tie(probe, case, outcome):
                probe.excused += sum(y.size for y in outcome.value)
                continue
            others += 1
        undecided = _beside_a_kink(probe, case)
        probe.expect_value(case, outcome, excused=undecided, rows=rows)
        probe.expect_vjp(case, outcome, excused=undecided, rows=rows)


def _told_where(probe: Probe, base: Case, case: Case, outcome: Outcome, at: At) -> None:
    """Note an exception, with the number that it comes of if one alone raises."""
    for single, number in [(case, at)] if at else _one_by_one(probe, base):
        alone = outcome if single is case else probe.runner.run(single)
        if alone.raised:
            probe.accepted(single, alone, "at", **number)
            return
    probe.accepted(case, outcome)


def _of_normal_products(case: Case) -> Case:
    """Return the case of two sides without an oracle with larger numbers in place of the smallest, and of cotangents.

    TensorFlow has 0 for an x / s or dy * x that is smaller than any normal number, and PyTorch has not: what is rounded
    down, or branches on its sign, is another number then, and nobody is wrong.
    """
    tiny = smallest_normal(case.dtype)
    if case.op.truth == "oracle" or not any((np.abs(x) == tiny).any() for x in case.inputs.values()):
        return case
    room = _ROOM_IN_HALF if case.dtype == "float16" else _ROOM
    inputs = {n: np.where(np.abs(x) == tiny, x * room, x).astype(x.dtype) for n, x in case.inputs.items()}
    return replace(case, inputs=inputs, dy=tuple(map(_of_two_and_more, case.dy or ())))


def _of_two_and_more(v: Array) -> Array:
    """Return a cotangent without small numbers; zeros stay, those of an output that no gradient comes through."""
    larger = np.where(np.abs(v) < _LARGER, np.copysign(_LARGER, np.real(v)), v)
    return larger.astype(v.dtype) if v.any() else v


def _no_nan(probe: Probe, case: Case, outcome: Outcome) -> None:
    for what, arrays in (("value", outcome.value), ("gradient", outcome.vjp)):
        bad = [np.isnan(a) for a in arrays if a is not None and np.isnan(a).any()]
        row = int(np.argmax(bad[0].reshape(len(bad[0]), -1).any(axis=1))) if bad and bad[0].ndim > 1 else 0
        firsts = {n: x[row] if x.ndim > 1 else x for n, x in case.inputs.items()}
        inputs = ", ".join(f"{n} = {float(x.reshape(-1)[0]):g}" for n, x in firsts.items())
        probe.fact(not bad, "oracle_nan", quantity=what, inputs=inputs)


def _together(probe: Probe, base: Case) -> Iterator[tuple[Case, At]]:
    """Yield a case for each magnitude, with one special number in each row."""
    for numbers in samples.special_values(probe.dtype):
        rows = [row for number in numbers for _, row in _rows(probe, base, number)]
        if rows:
            inputs = {name: np.stack([row[name] for row in rows]) for name in base.inputs}
            case = probe.case(f"special values {numbers!r}", inputs=inputs, statics=base.statics)
            yield _of_normal_products(case), {}


def _one_by_one(probe: Probe, base: Case) -> Iterator[tuple[Case, At]]:
    """Yield a case for one number of each magnitude and sign: where an op mixes rows, or an input has none."""
    for number in chain.from_iterable(numbers[:2] for numbers in samples.special_values(probe.dtype)):
        for names, row in _rows(probe, base, number):
            case = probe.case(f"special values {number!r}", inputs=row, statics=base.statics)
            yield _of_normal_products(case), {"of_input": " and ".join(names), "number": float(number)}


def _rows(probe: Probe, base: Case, number: float) -> Iterator[tuple[Sequence[str], dict[str, Array]]]:
    """Yield the base's inputs, with the number in one place of each in turn, then of all, beside each mask.

    Each comes with the names of the inputs that the number is in.
    """
    names = probe.op.wrt
    place = list(chain.from_iterable(samples.special_values(probe.dtype))).index(number)
    for chosen in [*((name,) for name in names), *([names] if len(names) > 1 else [])]:
        if all(probe.takes(name, number) for name in chosen):
            put = {n: with_number(base.inputs[n], number, probe.dtype, place) for n in chosen}
            yield from ((chosen, {**base.inputs, **put, **mask}) for mask in _masks(probe, base, place))


def _masks(probe: Probe, base: Case, place: int) -> Iterator[dict[str, Array]]:
    """Yield the integer inputs of few values, with each of these at a place; once nothing if there are none."""
    few = {n: d for n, d in probe.bounds().items() if isinstance(d, range) and len(d) <= _FEW}
    for values in product(*few.values()):
        changed = {n: base.inputs[n].copy() for n in few}
        for x, value in zip(changed.values(), values, strict=True):
            x.reshape(-1)[place % max(x.size, 1)] = value
        yield changed


def _differs(probe: Probe, case: Case, outcome: Outcome) -> bool:
    """Whether two sides have other outputs, by more than digits."""
    two = probe.op.truth != "oracle" and probe.op.memory is None and probe.independent
    return two and not _near(outcome.value, probe.truth(case).value)


def _is_tie(probe: Probe, case: Case, outcome: Outcome) -> bool:
    """Whether one side has the other's outputs where numbers of many digits move by some roundings.

    What is rounded to a multiple of the inputs' mean lies on a tie at 0, and the last digit of a mean is anybody's. A
    special number has few digits and stays: what a side does there is its own.
    """
    truth = probe.truth(case)
    rng = samples.generator(probe.seed, probe.op.name, "ties")

    def beside(x: Array) -> Array:
        if x.dtype.kind != "f":
            return x
        moved = x * (1 + _ROUNDINGS * unit_roundoff(case.dtype) * rng.choice([-1.0, 1.0], x.shape))
        return np.where(x == x.astype(np.float16), x, moved).astype(x.dtype)

    for _ in range(_DRAWS):
        moved = replace(case, inputs={n: beside(x) for n, x in case.inputs.items()})
        for side, other in ((RUNNERS["oracle"], outcome), (probe.runner, truth)):
            answer = side.run(moved)
            if not answer.raised and _near(other.value, answer.value):
                return True
    return False


def _near(these: Sequence[Array], those: Sequence[Array]) -> bool:
    return len(these) == len(those) and all(
        a.shape == b.shape and np.array_equal(np.isfinite(a), np.isfinite(b)) and nearly(1.0 * wide(a), 1.0 * wide(b))
        for a, b in zip(these, those, strict=True)
    )


def _beside_a_kink(probe: Probe, case: Case) -> Array:
    """Mark where rounding decides on which side of a kink an element lies."""
    if probe.op.contract.shapes:
        return np.zeros((1,), dtype=bool)
    beside = np.zeros(next(iter(case.inputs.values())).shape, dtype=bool)
    for name, places in probe.kinks(case.inputs, case.statics).items():
        x = case.inputs[name].astype(np.float64)
        for place in places:
            beside |= samples.near(x, [place], probe.dtype, margin=0.0) & (x != place)
    return beside
