"""Numbers that coincide: with 0, with a static, with those of another input."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, islice
from typing import Final

import numpy as np

from porting.dtypes import is_inexact
from porting.parity.cases import with_number
from porting.parity.checks import NotApplicableError, check
from porting.parity.probe import Array, Probe
from porting.runners import RUNNERS, Case

_PAIRS: Final = 3  # of inputs that are made equal


@check(once=True)
def coincidences(probe: Probe) -> None:
    """Where one is 0, infinite, plus or minus a static, another input's, or all 0 or -inf, both equal the oracle's."""
    asked = False
    for statics in probe.variants():
        for case in _cases(probe, probe.case("coincidences", statics=statics)):
            outcome = probe.run(case)
            if outcome is None:
                return
            probe.expect_value(case, outcome)
            probe.expect_vjp(case, outcome)
            asked = True
    if not asked:
        raise NotApplicableError("no number can be put into the inputs")


def _cases(probe: Probe, base: Case) -> Iterator[Case]:
    op = probe.op
    names = [n for n in op.wrt if is_inexact(base.inputs[n]) and n not in op.contract.prepare]
    settings = [float(s) for s in op.settings(base.statics).values() if isinstance(s, int | float)]
    for name in names:
        numbers = dict.fromkeys(n for s in (0.0, *settings) for n in (s, -s) if probe.takes(name, n))
        if numbers and not np.iscomplexobj(base.inputs[name]):
            yield _with(base, name, _among(base.inputs[name], list(numbers), apart=bool(op.contract.shapes)))
        if op.truth == "oracle":  # without one, nobody says what is right there
            yield from filter(_is_finite, _extremes(probe, base, name))
    alike = ((a, b) for a, b in combinations(names, 2) if base.inputs[a].shape == base.inputs[b].shape)
    for a, b in islice(alike, _PAIRS):
        if probe.bounds()[a] == probe.bounds()[b] and not op.contract.shapes:
            x = base.inputs[b].copy()
            x.reshape(-1)[::2] = base.inputs[a].reshape(-1)[::2]
            yield _with(base, b, x)


def _among(x: Array, numbers: list[float], *, apart: bool) -> Array:
    """Return an array with the numbers among its own; where elements make up a matrix, with one of them alone."""
    changed = x.copy()
    flat = changed.reshape(-1)
    if apart:  # more zeros might make it singular
        flat[:1] = numbers[0]
        return changed
    for k, number in enumerate(numbers):
        flat[k :: len(numbers) + 1] = number
    return changed


def _extremes(probe: Probe, base: Case, name: str) -> Iterator[Case]:
    """Yield an input of zeros, as padding is, which a norm is divided by; then infinities, with which one masks."""
    x = base.inputs[name]
    if probe.takes(name, 0.0):
        yield _with(base, name, np.zeros_like(x))
    for number in (-np.inf, np.inf):
        if probe.takes(name, number):
            yield _with(base, name, with_number(x, number, base.dtype))
    if probe.takes(name, -np.inf):
        yield _with(base, name, np.full_like(x, -np.inf))


def _is_finite(case: Case) -> bool:
    """Whether the oracle has numbers there: of a matrix of zeros it may have none; -inf where all is masked."""
    truth = RUNNERS["oracle"].run(case)
    masked = all((x == -np.inf).all() for x in case.inputs.values())
    if truth.raised or not all((np.isfinite(y) | (masked & (y == -np.inf))).all() for y in truth.value):
        return False
    return all(np.isfinite(g).all() for g in truth.vjp if g is not None)


def _with(case: Case, name: str, x: Array) -> Case:
    return replace(case, inputs={**case.inputs, name: x})
