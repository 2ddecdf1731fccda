"""Linearity in the cotangent."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from porting.dtypes import FLOATS, as_dtype, is_inexact, smallest_normal, unit_roundoff, wide
from porting.numeric import samples
from porting.numeric.compare import compare
from porting.numeric.tolerance import FACTOR
from porting.parity.allowed import is_near, least_of_vjp
from porting.parity.checks import ALL, check
from porting.parity.digits import ROUNDINGS, noise
from porting.parity.probe import Array, Probe
from porting.parity.truth import rows_apart
from porting.recordings.memory import statics_text
from porting.runners import Case, Outcome

# Far from 1 and of both signs, so that clipping, sign and offset all show; in float16 small enough not to overflow.
_FACTORS = {"float16": (3.0, -30.0)}
_WIDE = (37.0, -1000.0)
# Of outputs in a narrower type than the op is asked in: with cotangents of few bits these make sums that it holds.
_POWERS = {"float32": (32.0, -1024.0)}
_SMALL = (2.0, -4.0)  # in 16 bits
_HALVES = 4.0  # the largest of the cotangents there, which are multiples of a half
_JUMPS = 4  # of each of three gradients one, and one beside them
_SHARE = 2.0  # of the jumps of numbers that are rounded to float32, at most, such a number is off
_LARGER = 32.0  # than the others a cotangent is; a power of 2
_SIGNS = 8  # draws of the signs of a cotangent, as in rule R*


@check(runners=ALL)
def linear(probe: Probe) -> None:
    """The gradient is linear in the cotangent: vjp(0) = 0 and vjp(p a + q b) = p vjp(a) + q vjp(b)."""
    claimed = probe.op.contract.linear
    witness = ""
    for case, rows in _cases(probe):
        witness = witness or _witness(probe, case, report=claimed, rows=rows)
    if claimed:
        return
    if probe.fact(bool(witness) or bool(probe.findings), "needless_waiver", claim="linear"):
        probe.waived = f"not linear in the cotangent, as declared: {witness}"


def _cases(probe: Probe) -> Iterator[tuple[Case, bool]]:
    """Yield the everyday cases, and whether each row is a case of its own.

    Those of one shape share a case where rows do not mix: four cotangents are asked about once, not for each of them.
    The sides of a pair are asked one by one. Whether rows mix is seen on the other side, so the two would not be asked
    the same, and of two that clip alike one would be accused.
    """
    told = probe.op.truth == "oracle"
    groups: dict[str, list[Case]] = {}
    for case in probe.ordinary(vector=False):  # of the rank the law says nothing
        shapes = [x.shape for x in case.inputs.values()]
        groups.setdefault(f"{statics_text(case.statics)} {shapes}", []).append(case)
    for first, *others in groups.values():
        if others and told and rows_apart(first, probe.seed):
            inputs = {n: np.stack([c.inputs[n] for c in (first, *others)]) for n in first.inputs}
            dy = tuple(np.stack(column) for column in zip(*(c.dy or () for c in (first, *others)), strict=True))
            yield replace(first, inputs=inputs, dy=dy), True
        else:
            yield from ((case, False) for case in (first, *others))


def _witness(probe: Probe, case: Case, *, report: bool, rows: bool) -> str:
    """Return what is not linear, and note it as a finding if asked to."""
    dy = case.dy or ()
    p, q = _FACTORS.get(probe.dtype, _WIDE)
    another = _another(probe, case)
    at_zero = probe.run(replace(case, dy=tuple(np.zeros_like(v) for v in dy)))
    short = _short_type(probe, at_zero)
    if short:
        p, q = _POWERS.get(short, _SMALL)
        dy, another = (tuple(_in_few_bits(v, short) for v in vs) for vs in (dy, another))
    mixed = tuple(_mixed(probe, p * wide(a), q * wide(b)) for a, b in zip(dy, another, strict=True))
    asked = [dy, another, mixed]
    answers = [at_zero, *(probe.run(replace(case, dy=v)) for v in asked)]
    shapes = [case.inputs[name].shape for name in probe.op.wrt]
    if any(
        a is None or any(g is not None and g.shape != s for g, s in zip(a.vjp, shapes, strict=True)) for a in answers
    ):
        return ""  # of the wrong shape: `raw_gradient` says so
    zero, first, second, both = (
        [_array(g, case, n) for n, g in zip(probe.op.wrt, a.vjp, strict=True)] for a in answers if a
    )
    places = [replace(case, dy=v) for v in asked]
    lost = [_lost(probe, at, a) for at, a in zip(places, (first, second, both), strict=True)]

    def allows(bounds: Sequence[Sequence[Array]], k: int) -> Array:
        rounding = 16 * unit_roundoff(short or probe.arithmetic)  # of a wrong gradient, much larger than the true one
        allowed = abs(p) * bounds[0][k] + abs(q) * bounds[1][k] + bounds[2][k]
        allowed = allowed + rounding * (np.abs(p * first[k]) + np.abs(q * second[k]))
        return allowed + sum(abs(f) * d[k] for f, d in zip((p, q, 1.0), lost, strict=True))

    wants = [p * a + q * b for a, b in zip(first, second, strict=True)]

    def fit(bounds: Sequence[Sequence[Array]]) -> bool:
        return all(is_near(both[k], want, allows(bounds, k)) for k, want in enumerate(wants))

    bounds = _bounds(probe, places, fit, short or probe.arithmetic, rows=rows)
    witness = ""
    zero = _counted_at_zero(probe, answers[1], zero, first, second)
    for k, name in enumerate(probe.op.wrt):
        witness = _at_zero(probe, name, zero[k], report=report) or witness
        want, allowed = wants[k], allows(bounds, k)
        fits = both[k].shape == want.shape == allowed.shape
        two = probe.op.truth != "oracle" and fits  # sides, of which the other may lack terms
        if two and compare(both[k], want, allowed, probe.arithmetic).bad:
            allowed = allowed + _own_rounding(probe, replace(case, dy=mixed), k)
            allowed = allowed + _own_digits(probe, places, (p, q, 1.0), k)
        if report:
            bad = compare(both[k], want, allowed, probe.arithmetic).bad if two else 0
            masked = bool(bad) and probe.op.truth != probe.runner.key and _is_masked(probe, places, k)
            said = {"name": name, "p": p, "q": q, **({"masked": True} if masked else {})}
            probe.expect("not_linear", said, both[k], want, allowed, replace(case, dy=mixed))
        elif not witness:
            d = compare(both[k], want, allowed, probe.arithmetic)
            if d.bad:
                witness = f"vjp({p:g} a - {-q:g} b) = {d.got:g}, not {d.want:g}"
    return witness


def _short_type(probe: Probe, answer: Outcome | None) -> str:
    """Return the narrowest type of outputs, if the op is asked in a wider one: cotangents are rounded to it."""
    asked = unit_roundoff(probe.dtype)
    types = {y.dtype.name for y in answer.value if y.dtype.name in FLOATS} if answer is not None else set()
    return max((t for t in types if unit_roundoff(t) > asked), key=unit_roundoff, default="")


def _counted_at_zero(
    probe: Probe, answer: Outcome | None, zero: list[Array], first: list[Array], second: list[Array]
) -> list[Array]:
    """Return gradients for a cotangent of 0; what is NaN for any counts as 0 beside another side, or without a value.

    A comparison of the two sides tells who has a NaN that the other one has not.
    """
    finite = answer is None or all(np.isfinite(wide(y)).all() for y in answer.value)
    if probe.op.truth == "oracle" or (finite and probe.op.truth == probe.runner.key):
        return zero
    given = zip(zero, first, second, strict=True)
    return [np.where(np.isfinite(a) | np.isfinite(b), at_zero, 0) for at_zero, a, b in given]


def _another(probe: Probe, case: Case) -> tuple[Array, ...]:
    """Return further cotangents, of two sides with sizes that take turns: one output's may bound what another sends."""
    dy = probe.case("linear, second cotangent", inputs=case.inputs, statics=case.statics).dy or ()
    if probe.op.truth == "oracle" or probe.op.memory is not None or len(dy) == 1:
        return tuple(dy)
    return tuple(v * v.dtype.type(1 / _LARGER if k % 2 else _LARGER) for k, v in enumerate(dy))


def _in_few_bits(v: Array, dtype: str) -> Array:
    if dtype in _POWERS:
        return v.astype(as_dtype("bfloat16")).astype(v.dtype)
    return np.clip(np.round(2 * v) / 2, -_HALVES, _HALVES)


def _is_masked(probe: Probe, places: Sequence[Case], k: int) -> bool:
    """Whether the sign of the cotangent decides what passes, as in a bound that lets through what leads back inside."""
    stopped = False
    for case in places:
        dy = case.dy or ()
        answers = [probe.runner.run(replace(case, dy=tuple(f * v for v in dy))) for f in (1, 2, -1)]
        if any(a.raised for a in answers):
            return False
        once, twice, turned = (_array(a.vjp[k], case, probe.op.wrt[k]) for a in answers)
        passed = (once != 0) & (turned != 0)
        if not (np.array_equal(twice, 2 * once) and np.array_equal(turned[passed], -once[passed])):
            return False
        stopped = stopped or not np.array_equal(once != 0, turned != 0)
    return stopped


def _at_zero(probe: Probe, name: str, g: Array, *, report: bool) -> str:
    """Return what the gradient is where the cotangent is 0, unless it is 0, and note it as a finding if asked to.

    A number below all normal ones is 0 to a processor that is set so.
    """
    off = g[~(np.abs(g) < smallest_normal(probe.dtype))]
    if report:
        probe.fact(not off.size, "not_zero", name=name, number=float(off[0]) if off.size else 0.0)
    return f"vjp(0) = {float(off[0]):g}" if off.size else ""


def _mixed(probe: Probe, a: Array, b: Array) -> Array:
    return np.asarray(a + b, dtype=as_dtype(probe.arithmetic))


def _bounds(
    probe: Probe, places: Sequence[Case], fit: Callable[[Sequence[Sequence[Array]]], bool], dtype: str, *, rows: bool
) -> Sequence[Sequence[Array]]:
    """Return the tolerances of the gradients in each case, or what they are at least, if that is enough.

    What is computed in a narrower type inside, `dtype`, has that type's.
    """
    wider = unit_roundoff(dtype) / unit_roundoff(probe.arithmetic)
    if probe.op.memory is None:  # else all are recorded, or replayed
        least = [
            least_of_vjp(at, probe.arithmetic, [g for g in probe.truth(at).vjp if g is not None], rows=rows)
            for at in places
        ]
        if fit(least):
            return least
    return [[wider * tol for tol in probe.vjp_tolerance(at, rows=rows)] for at in places]


def _own_rounding(probe: Probe, case: Case, k: int) -> Array:
    """Return what rule R* allows for the terms of the side's own gradient: the other side's may be 0, or missing."""
    rng = samples.generator(probe.seed, probe.op.name, "own terms")
    signs = [tuple(v * rng.choice([-1.0, 1.0], v.shape).astype(v.dtype) for v in case.dy or ()) for _ in range(_SIGNS)]
    name = probe.op.wrt[k]
    answers = [probe.runner.run(replace(case, dy=v)) for v in signs]
    parts = [_array(a.vjp[k], case, name) for a in answers if a.raised is None]
    if not parts or any(part.shape != parts[0].shape for part in parts):
        return np.zeros(case.inputs[name].shape)
    terms = np.sqrt(np.mean(np.square(parts), axis=0))
    peak = float(np.max(terms, initial=0.0))
    both = FACTOR[probe.arithmetic] * unit_roundoff(probe.arithmetic) * (terms + peak)
    pair = probe.op.truth != "oracle" and probe.op.memory is None
    if pair and probe.dtype == "float64":  # of what is not made of few terms, as a matrix's exponential
        jumps = noise(case, probe.runner.run, "gradient", k, ROUNDINGS)
        if jumps is None:  # it raises beside these numbers: what it gives for them are roundings
            return np.full(terms.shape, np.inf)
        both = both + (_JUMPS * jumps if jumps.shape == terms.shape else 0.0)
    return np.asarray(np.where(np.isfinite(both), both, 0.0))


def _own_digits(probe: Probe, places: Sequence[Case], factors: Sequence[float], k: int) -> Array:
    """Return what a side loses in each place that computes in float32 in float64: its numbers jump in small steps."""
    zeros = np.zeros(places[0].inputs[probe.op.wrt[k]].shape)
    if probe.dtype != "float64" or probe.op.memory is not None:
        return zeros
    jumps = [noise(at, probe.runner.run, "gradient", k) for at in places]
    known = [j for j in jumps if j is not None and j.shape == zeros.shape]
    if len(known) < len(jumps):
        return zeros
    return sum((_SHARE * abs(f) * j for f, j in zip(factors, known, strict=True)), zeros)


def _lost(probe: Probe, case: Case, narrow: list[Array]) -> list[Array]:
    """Return what a side's own formula loses in a narrow type, as D of rule R*: beside another side no oracle tells."""
    if probe.op.truth != "oracle" and probe.dtype != "float64":
        inputs = {n: wide(x) if is_inexact(x) else x for n, x in case.inputs.items()}
        there = replace(case, dtype="float64", inputs=inputs, dy=tuple(map(wide, case.dy or ())))
        for device in dict.fromkeys((case.device, "cpu")):  # a GPU may have no float64
            exact = probe.runner.run(replace(there, device=device))
            if exact.raised is None:
                parts = zip(probe.op.wrt, exact.vjp, narrow, strict=True)
                off = (_apart(_array(g, case, n), mine) for n, g, mine in parts)
                return [FACTOR[probe.dtype] * np.where(np.isfinite(d), d, 0.0) for d in off]
    return [np.zeros(g.shape) for g in narrow]


def _apart(exact: Array, narrow: Array) -> Array:
    """Return how far two gradients are apart; nothing of one that has another shape in another type."""
    return np.abs(exact - narrow) if exact.shape == narrow.shape else np.zeros(narrow.shape)


def _array(g: Array | None, case: Case, name: str) -> Array:
    return np.zeros(case.inputs[name].shape) if g is None else g.astype(np.float64)
