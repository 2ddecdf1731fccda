"""From the smallest number of the type to the largest: nothing overflows that need not.

Ops of the catalogue are judged to the last number. Other people's have some room: nobody calls `2 * x1 * x2` wrong for
overflowing at once when the true product is only just finite.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from porting.dtypes import as_dtype, largest, smallest_normal, smallest_subnormal
from porting.parity.cases import SHAPE
from porting.parity.checks import NotApplicableError, check
from porting.parity.probe import ROOM, Array, Probe, output_name
from porting.runners import Case

_MAGNITUDES: Final = 256  # several per binade in 16 bits, where the range between "fits" and "overflows" is narrow


@check()
def whole_range(probe: Probe) -> None:
    """From the smallest to the largest number of the type, value and gradient are finite where the true ones are."""
    if not probe.independent:
        raise NotApplicableError("there is nothing to compare with")
    probe.kind = "precision"
    cases = list(_element_by_element(probe) if not probe.op.contract.shapes else _scaled(probe))
    for case in cases:
        outcome = probe.run(case, "far")
        if outcome is None:
            continue
        truth = probe.truth(case)
        for k, (y, want) in enumerate(zip(outcome.value, truth.value, strict=False)):
            said = {"quantity": "value", "name": output_name(k, len(truth.value)), "truth": probe.who}
            _finite(probe, said, y, want, case, lambda: probe.value_tolerance(case)[k])  # noqa: B023 - called at once
        for j, (name, dx, want_dx) in enumerate(zip(probe.op.wrt, outcome.vjp, truth.vjp, strict=True)):
            if dx is not None and want_dx is not None:
                said = {"quantity": "gradient", "name": name, "truth": probe.who}
                _finite(probe, said, dx, want_dx, case, lambda: probe.vjp_tolerance(case)[j])  # noqa: B023 - the same
    if not cases:
        raise NotApplicableError("the contract leaves no input that could be large")


def _finite(
    probe: Probe, said: Mapping[str, str], got: Array, want: Array, case: Case, tolerance: Callable[[], Array]
) -> None:
    if got.shape != want.shape:
        return  # other checks say so
    beyond = ~(np.isfinite(want) & (np.abs(want) <= _top(probe)))
    if probe.op.truth == "oracle" and not probe.op.in_catalogue and (~np.isfinite(got) & ~beyond).any():
        with np.errstate(all="ignore"):
            beyond |= ~(tolerance() <= _top(probe))  # terms that overflow, and take each other away in a wider type
    if probe.dtype != "float64" and probe.is_shared(said, case, got, np.where(beyond, np.nan, want)):
        return  # nor has the other side in this type
    number = np.where(np.isfinite(np.asarray(got, dtype=np.float64)), want, got)  # how exact it is, other checks say
    any_size = np.full(want.shape, np.finfo(np.float64).max)
    probe.expect("not_finite", said, number, want, any_size, case, beyond)


def _top(probe: Probe) -> float:
    return largest(probe.dtype) / (1.0 if probe.op.in_catalogue else ROOM)


def _sets(probe: Probe) -> Iterator[tuple[str, ...]]:
    """Yield the inputs to make large or small: each alone, then all."""
    contract = probe.op.contract
    free = tuple(name for name in probe.op.wrt if name not in contract.prepare)
    yield from ((name,) for name in free)
    if len(free) > 1:
        yield free


def _element_by_element(probe: Probe) -> Iterator[Case]:
    """Yield cases with every magnitude of the type in them, of both signs, as far as the domain goes."""
    flushed = probe.op.truth != "oracle"  # a framework takes a subnormal number for 0, as its processor is set
    low = smallest_normal(probe.dtype) if flushed else smallest_subnormal(probe.dtype)
    high = _top(probe)
    with np.errstate(over="ignore", under="ignore"):
        magnitudes = np.exp2(np.linspace(np.log2(low), np.log2(high), _MAGNITUDES))
    magnitudes[0], magnitudes[-1] = low, high  # which a logarithm and back may miss
    numbers = np.concatenate([[0.0, -0.0, smallest_normal(probe.dtype)], magnitudes, -magnitudes])
    shape = probe.as_deep_as_taken(numbers.shape)
    numbers = numbers.reshape(shape)
    for statics, base in _bases(probe, shape):
        for chosen in _sets(probe):
            bounds = [probe.bounds()[name] or (-np.inf, np.inf) for name in chosen]
            inside = np.all([(first <= numbers) & (numbers <= last) for first, last in bounds], axis=0)
            inputs = {
                name: np.where(inside, numbers, x).astype(as_dtype(probe.dtype)) if name in chosen else x
                for name, x in base.items()
            }
            yield _case(probe, inputs, statics)


def _scaled(probe: Probe) -> Iterator[Case]:
    """Yield ordinary inputs, scaled to the ends of the type and of its square root; bounded ones stay as they are."""
    top, bottom = _top(probe), smallest_normal(probe.dtype)
    for statics, base in _bases(probe, SHAPE):
        for chosen in _sets(probe):
            if any(probe.bounds()[name] for name in chosen):
                continue
            for size in (top, 4 * top**0.5, bottom**0.5 / 4, bottom):
                inputs = {name: _to_size(x, size).astype(x.dtype) if name in chosen else x for name, x in base.items()}
                yield _case(probe, inputs, statics)


def _bases(probe: Probe, shape: tuple[int, ...]) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Array]]]:
    """Yield statics and inputs between 1/2 and 2, which neither attenuate nor amplify, where the contract allows."""
    contract = probe.op.contract
    for statics in probe.variants():
        inputs = dict(probe.case("whole range", shape=shape, statics=statics, order=0).inputs)
        for name, x in inputs.items():
            if probe.bounds()[name] is None and name not in contract.prepare:
                inputs[name] = (np.sign(x) * np.clip(np.abs(x), 0.5, 2.0)).astype(x.dtype)
        yield statics, inputs


def _case(probe: Probe, inputs: Mapping[str, Array], statics: Mapping[str, Any]) -> Case:
    case = probe.case("whole range", inputs=inputs, statics=statics)
    return replace(case, dy=tuple(np.asarray(np.sign(v)) for v in case.dy or ()))


def _to_size(x: Array, size: float) -> Array:
    x64 = x.astype(np.float64)
    return np.asarray(x64 / np.abs(x64).max(initial=1e-300) * size)
