"""Forward and gradient belong together: needs no oracle, only the forward itself."""

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np

from porting.dtypes import unit_roundoff, wide
from porting.errors import NotRecordedError
from porting.numeric import samples
from porting.numeric.compare import of_float32
from porting.numeric.differences import as_tuple
from porting.parity.checks import NotApplicableError, check
from porting.parity.checks.large import larger_case
from porting.parity.finding import Finding
from porting.parity.probe import Array, Probe
from porting.parity.surrogate import surrogate
from porting.runners import Case
from porting.runners.base import OutOfTimeError
from porting.spec import Unstated

_STEPS: Final = {"float64": (1e-4, 1e-5, 1e-6), "float32": (1e-1, 1e-2, 3e-3)}
_JUDGED: Final = {
    "float64": 0,
    "float32": 1,
}  # from which step on: the coarsest tells what cutting off the series costs
_NEAR: Final = {"float64": 1e-9, "float32": 1e-5}  # of the terms: their own rounding
_SPREAD: Final = 0.25  # of what the finest slope is off by, that the one before it may differ from it
_TELLING: Final = 0.1  # of both sides: two steps give the same slope, or equal says as little as unequal
_UNSETTLED: Final = "differences of the forward settle nothing: it has steps, or bends, that are finer than they are"
_FRESH: Final = 3  # draws that must all disagree: one of them alone may have met a kink
_MOST: Final = 6  # draws: some may decide nothing


@check(once=True)
def adjoint(probe: Probe) -> None:
    """<vjp(v), u> = <v, J u> for random v and u, with J u from differences of the op's own forward."""
    claim = probe.op.contract.gradient_of
    widest = "float32" if probe.op.narrow else probe.op.widest
    if probe.dtype != widest or widest not in _STEPS:
        raise NotApplicableError("differences of the forward are taken in the widest type, of 32 bits at least")
    if isinstance(claim, Unstated):
        raise NotApplicableError(f"gradient_of unstated: {claim.reason}")
    for statics in probe.variants():
        _judge(probe, (probe.case(f"adjoint {n}", statics=statics) for n in range(_MOST)), _FRESH)
    if probe.op.truth != "oracle":  # with an oracle, the check `large` sees every element
        larger = [larger_case(probe, f"large {n}") for n in range(_FRESH)]
        _judge(probe, larger, len(larger), settled=True)  # of so many elements some are next to a pole


class _Sides(NamedTuple):
    """Both sides of the equation: <vjp(v), u> with the size of its terms, and for each step <v, J u> with its noise."""

    by_gradient: float
    size: float
    by_forward: tuple[tuple[float, float], ...]
    near: float
    judged: int
    silent: tuple[str, ...]  # inputs without a gradient, or with one of 0

    @property
    def agree(self) -> bool:
        """Whether they are equal at any step; a gradient that is not finite equals nothing."""
        return bool(np.isfinite(self.by_gradient) and self._equal)

    @property
    def settles(self) -> bool:
        """Whether it says anything that they are equal: where each step has another slope, any two numbers would be."""
        mine = (self.by_gradient, 0.0)
        same = [_alike(*two) for two in zip(self.by_forward, self.by_forward[1:], strict=False)]
        return any(_alike(mine, self.by_forward[k]) and any(same[max(k - 1, 0) : k + 1]) for k in self._equal)

    @property
    def _equal(self) -> list[int]:
        """The steps at which both are equal, up to roundings and what cutting off the series costs there.

        That goes with the square of a step: of steps of 10 to 1, a finer one costs a 99th of what the two differ by.
        """
        (coarse, _), (fine, _), (finest, last) = self.by_forward
        apart = abs(fine - finest)  # a jump in the coarsest is no series that is cut off
        cut = (
            2 * abs(coarse - fine),
            min(abs(coarse - fine) / 25, 2 * (apart + last)),
            min(abs(coarse - fine) / 25, apart),
        )
        found = []
        for k, ((slope, noise), truncated) in enumerate(zip(self.by_forward, cut, strict=True)):
            near = self.near * max(self.size, abs(coarse)) + noise + truncated
            if k >= self.judged and abs(slope - self.by_gradient) <= near:
                found.append(k)
        return found

    @property
    def is_known(self) -> bool:
        """Whether the finest slopes are one: across a pole, or where many elements jump, they say nothing."""
        _, (fine, _), (finest, noise) = self.by_forward
        off = abs(finest - self.by_gradient)
        return not np.isfinite(off) or abs(fine - finest) <= _SPREAD * off + noise


def _alike(a: tuple[float, float], b: tuple[float, float]) -> bool:
    """Whether two slopes, each with its noise, tell the same: they are near to each other, and it is not by noise."""
    near = _TELLING * max(abs(a[0]), abs(b[0]))
    return a[0] == b[0] or (abs(a[0] - b[0]) <= near and max(a[1], b[1]) <= near)


def _judge(probe: Probe, fresh: Iterable[Case], enough: int, *, settled: bool = False) -> None:
    """Accuse if every step and enough fresh draws disagree; a draw that decides nothing acquits nobody, nor accuses.

    With `settled`, one whose finest slopes differ decides nothing.
    """
    seen: list[tuple[Case, _Sides]] = []
    for case in fresh:
        with np.errstate(all="ignore"):  # a forward that overflows is told of elsewhere
            sides = _telling(probe, case, _sides(probe, case))
        if sides is None:
            continue
        if settled and not (sides.agree or sides.is_known):
            continue
        if sides.agree and not sides.settles:
            probe.note = "" if probe.compared else _UNSETTLED
            continue
        if sides.agree:
            probe.compared, probe.note = probe.compared + len(seen) + 1, ""
            return
        seen.append((case, sides))
        if len(seen) == enough:
            break
    if not seen or len(seen) < enough:
        return
    first, its = seen[0]
    probe.compared += len(seen)
    claimed = probe.op.contract.gradient_of
    claim = "" if claimed is None else getattr(claimed, "__name__", str(claimed))
    numbers = {"by_gradient": its.by_gradient, "by_forward": its.by_forward[1][0]}
    known: dict[str, Any] = {}
    with suppress(OutOfTimeError, NotRecordedError):
        usual = replace(
            first, statics=next(probe.variants())
        )  # those that are printed, whatever statics it was seen for
        known = {} if claim else surrogate(probe, usual, flat=not any(slope for slope, _ in its.by_forward))
        known |= _of_silent(probe, seen)
    probe.find(Finding("not_its_derivative", {"claim": claim, "draws": len(seen), **numbers, **known}))


def _of_silent(probe: Probe, seen: Sequence[tuple[Case, _Sides]]) -> dict[str, tuple[str, ...]]:
    """Return the inputs without a gradient, and the others, if the gradient of those is right while these stay."""
    silent = tuple(name for name in probe.op.wrt if all(name in sides.silent for _, sides in seen))
    others = tuple(name for name in probe.op.wrt if name not in silent)
    if not (silent and others):
        return {}
    with np.errstate(all="ignore"):
        stay = [_sides(probe, case, still=silent) for case, _ in seen]
    right = all(sides is not None and sides.agree and sides.settles for sides in stay)
    return {"silent": silent, "others": others} if right else {}


def _telling(probe: Probe, case: Case, sides: _Sides | None) -> _Sides | None:
    """Return both sides of one output, where those of all settle nothing: one that differs, or any that settles."""
    dy = case.dy or ()
    if sides is None or not sides.agree or sides.settles or len(dy) < 2:
        return sides
    alone = [tuple(v if j == k else np.zeros_like(v) for j, v in enumerate(dy)) for k in range(len(dy))]
    found = [_sides(probe, replace(case, dy=one)) for one in alone]
    known = [one for one in found if one is not None and (one.settles or not one.agree)]
    return min(known, key=lambda one: one.agree, default=sides)


def _sides(probe: Probe, case: Case, still: Collection[str] = ()) -> _Sides | None:
    """Return both sides; nothing where differences of the forward are not finite, or the gradient is no answer.

    Inputs that stay `still` are not moved.
    """
    outcome = probe.run(case)
    answers = [] if outcome is None else list(zip(probe.op.wrt, outcome.vjp, strict=True))
    if not answers or any(g is not None and g.shape != case.inputs[n].shape for n, g in answers):
        return None  # `raw_gradient` speaks of shapes
    rng = samples.generator(probe.seed, probe.op.name, "direction")
    u: dict[str, Array] = {name: np.asarray(rng.standard_normal(case.inputs[name].shape)) for name in probe.op.wrt}
    u = {name: _within(probe, name, case.inputs[name], direction) for name, direction in u.items() if name not in still}
    if not any(map(np.any, u.values())):
        return None
    # What does not move has no part in it: at the end of a domain a slope may be infinite.
    products = [np.where(u[n] == 0, 0, wide(g) * u[n]) for n, g in answers if g is not None and n in u]
    s, size = (float(sum(np.sum(f(p)) for p in products)) for f in (np.asarray, np.abs))
    # Of a forward in float32 steps of float64 show nothing but its rounding.
    dtype = "float32" if outcome and all(map(of_float32, outcome.value)) else probe.dtype
    phi, roundoff = _forward(probe, case, u), unit_roundoff(dtype)
    moving = 0.0 if dtype == "float64" else sum(_size(g, case.inputs[n]) for n, g in answers if g is not None)
    slopes = []
    for h in _STEPS[dtype]:
        (ahead, terms), (behind, _) = phi(h), phi(-h)
        slopes.append(((ahead - behind) / (2 * h), roundoff * (16 * terms + moving) / h))
    known = np.isfinite([slope for slope, _ in slopes]).all()
    silent = tuple(name for name, g in answers if g is None or not np.any(g))
    return _Sides(s, size, tuple(slopes), _NEAR[dtype], _JUDGED[dtype], silent) if known else None


def _within(probe: Probe, name: str, x: Array, u: Array) -> Array:
    """Return a direction that moves no element beyond the ends of where an input may be: one at an end stays."""
    bounds = probe.op.contract.domain.get(name)
    longest = _STEPS[probe.dtype][0]
    if probe.dtype == "float32":  # whose steps are long: none goes half the way to 0, where there may be a pole
        furthest = 0.5 / longest * np.abs(wide(x))
        u = np.clip(u, -furthest, furthest)
    if not isinstance(bounds, tuple):
        return u
    room = np.maximum(np.minimum(wide(x) - bounds[0], bounds[1] - wide(x)), 0.0) / longest
    return np.asarray(np.clip(u, -room, room))


def _size(g: Array, x: Array) -> float:
    """Return what rounding the moved inputs costs, in units of it: nothing to speak of in float64."""
    return float(np.sum(np.abs(wide(g)) * (np.abs(wide(x)) + 1)))


def _forward(probe: Probe, case: Case, u: dict[str, Array]) -> Callable[[float], tuple[float, float]]:
    """Return phi(h) = <v, f(x + h u)> and the size of its terms; f is the op's forward or the contract's function."""

    def phi(h: float) -> tuple[float, float]:
        moved = {n: (wide(x) + h * u[n]).astype(x.dtype) if n in u else x for n, x in case.inputs.items()}
        if probe.op.contract.gradient_of is None:
            answer = probe.runner.run(replace(case, inputs=moved, dy=None))
            if answer.raised is not None:  # beyond the ends of where it is defined
                return float("nan"), 0.0
            outputs: tuple[Any, ...] = answer.value
            if any(y.shape != v.shape for y, v in zip(outputs, case.dy or (), strict=False)):
                probe.note = "where its inputs move by little, its output has another shape"
                return float("nan"), 0.0
        else:
            with np.errstate(all="ignore"):
                outputs = as_tuple(probe.op.gradient_of(*(wide(x) for x in moved.values()), **case.statics))
        terms = [
            np.asarray(wide(v) * wide(np.asarray(y)), np.float64) for v, y in zip(case.dy or (), outputs, strict=True)
        ]
        return float(sum(t.sum() for t in terms)), float(sum(np.abs(t).sum() for t in terms))

    return phi
