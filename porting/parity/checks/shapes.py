"""Ranks: nothing, no axes, one element, batches."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Final

import numpy as np

from porting.backends import having
from porting.dtypes import wide
from porting.errors import NoTruthError
from porting.parity.checks import ALL, check
from porting.parity.probe import Array, Probe
from porting.runners import Case

_SHAPES: Final = ((), (1,), (0,), (3, 0, 2), (5,), (2, 3, 4))
# Every arrangement of axes of one element, of up to three, in the widest type.
_THIN: Final = tuple(s for n in (2, 3) for s in product(*((1, length) for length in (2, 3, 4)[:n])) if 1 in s)
_THIN_LENGTHS: Final = tuple((*s, 2, 6) for s in _THIN if len(s) == 3)
_LENGTHS: Final = ((4, 5, 3, 2, 6), (1, 1, 1, 1, 1), (7, 3, 2, 5, 4))  # of axes that the contract names


@check(runners=ALL)
def shapes(probe: Probe) -> None:
    """0-d, empty, one-element, 1-D and batched inputs give values and gradients of the right shape and size."""
    seen: set[str] = set()
    for shape, lengths in _arranged(probe):
        shapes = probe.shapes(shape, lengths)
        if str(shapes) in seen:
            continue
        seen.add(str(shapes))
        try:
            case = _well_conditioned(probe, probe.case("shapes", shape=shape, lengths=lengths), shape, lengths)
            answer = probe.runner.run(replace(case, raw=True))
            if probe.output_differs(case, answer):  # the cotangent has the other side's shape: nothing follows from it
                probe.expect_value(case, answer)
                continue
            outcome = probe.accepted(case, answer)
        except NoTruthError:
            continue  # both sides of a pair refuse this shape
        if outcome is None:
            continue
        repaired = outcome.raw is not None and probe.runner.key in having("repaired gradients")
        probe.kind = "portability" if repaired else "fault"
        for name, dx in zip(probe.op.wrt, outcome.vjp if outcome.raw is None else outcome.raw, strict=True):
            wanted = tuple(shapes[name])
            if dx is not None:
                probe.fact(dx.shape == wanted, "raw_shape", name=name, got_shape=dx.shape, want_shape=wanted)
            else:
                probe.compared += 1
        probe.kind = "fault"
        if probe.runner.key != "oracle":
            probe.expect_value(case, outcome)
            probe.expect_vjp(case, outcome)


def _well_conditioned(probe: Probe, case: Case, shape: tuple[int, ...], lengths: tuple[int, ...]) -> Case:
    """Return a case of two sides with numbers between 1/2 and 2: of one element alone, a norm or a sum may vanish."""
    contract = probe.op.contract
    if probe.op.truth == "oracle" or contract.kinks:
        return case
    free = [n for n in probe.op.wrt if probe.bounds()[n] is None and n not in contract.prepare]
    if not free:
        return case
    inputs = {n: _of_size_one(x) if n in free else x for n, x in case.inputs.items()}
    return probe.case("shapes of size one", shape=shape, lengths=lengths, inputs=inputs)


def _of_size_one(x: Array) -> Array:
    x64 = wide(x)
    return np.asarray(np.sign(x64) * (0.5 + 1.5 * np.abs(x64) / (1 + np.abs(x64)))).astype(x.dtype)


def _arranged(probe: Probe) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield shapes, with lengths of the axes that the contract names."""
    named, widest = bool(probe.op.contract.shapes), probe.dtype == "float64"
    yield from product(_SHAPES, _LENGTHS if named else _LENGTHS[:1])
    if widest and named:
        yield from product(((), (2, 3, 4)), _THIN_LENGTHS)
    elif widest:
        yield from ((shape, _LENGTHS[0]) for shape in _THIN)
