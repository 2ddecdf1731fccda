"""Rows that meet."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Final

import numpy as np

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.example import Array, size
from porting.runners import Case

_BATCHED: Final = 2  # axes: one of them is that of the samples
_FACTORS: Final = (2.0, 16.0)  # of the first sample: by the second it has the largest element


@cause(
    rank=47,
)
def mixes_batch(e: Evidence) -> str | None:
    """The gradient of one sample depends on other samples of the batch.

    A sum, mean or maximum over everything where it should be over each sample. A batch of one is right.
    """
    found = next(_others(e, e.probe(e.dtype).case()), None)
    if found is None:
        return None
    name, samples = found
    return f"a change in the first sample reaches {samples} other samples in the gradient of {name}"


def _others(e: Evidence, case: Case) -> Iterator[tuple[str, int]]:
    """Yield the inputs whose gradient in other samples follows the first sample, and should not."""
    if e.example is None or any(v.ndim == 0 for v in case.dy or ()):
        return
    moved = [replace(case, dy=tuple(_first_times(v, _FACTORS[0]) for v in case.dy or ()))]
    shapes = {v.shape[:1] for v in case.dy or ()}
    moved += [
        replace(case, inputs={**case.inputs, n: _first_times(case.inputs[n], _FACTORS[0])})
        for n in e.op.wrt
        if case.inputs[n].ndim >= _BATCHED and case.inputs[n].shape[:1] in shapes  # what is shared has no samples
    ]
    if not _keeps_samples_apart(e, case):
        return
    for name, changed in product(_of_samples(e), moved):
        parts = []
        for ask in (e.ask, e.truth):
            before, after = ask(case), ask(changed)
            if before is None or after is None or before[name].ndim < _BATCHED:
                return
            if len(before[name]) != len((changed.dy or ())[0]):  # a weight belongs to all samples
                return
            off = np.abs(after[name] - before[name]) > 1e-10 * size(before[name])
            parts.append(off.reshape(len(off), -1).any(axis=1))
        extra = parts[0] & ~parts[1]
        if parts[0].shape == parts[1].shape and extra[1:].any():
            yield name, int(extra[1:].sum())


def _of_samples(e: Evidence) -> list[str]:
    """Return the inputs with a wrong gradient whose first axis may be that of the samples.

    A weight has a length that is fixed, and may have it in common with the samples by chance.
    """
    firsts = {n: next(iter(e.op.contract.shapes.get(n, (...,))), 0) for n in e.op.wrt}
    fixed = {n for n, first in firsts.items() if isinstance(first, int)}
    return [n for n in e.example.wrong if n not in fixed or fixed == {*e.op.wrt}] if e.example else []


def _keeps_samples_apart(e: Evidence, case: Case) -> bool:
    """Whether nothing of another sample follows the first one: else the rows of an input are no samples.

    Steps hide it in a value where the gradient shows it, as of a quantiser that divides by the largest element of all.
    """
    probe = e.probe(e.dtype)
    before = probe.truth(case)
    batch = {len(y) for y in before.value if np.ndim(y)}
    names = [n for n, x in case.inputs.items() if n in e.op.wrt and x.ndim and {len(x)} == batch]
    for name, factor in product(names, _FACTORS):
        moved = {**case.inputs, name: _first_times(case.inputs[name], factor)}
        after = probe.truth(replace(case, inputs=moved))
        if any(_follows(y, z) for y, z in zip(before.value, after.value, strict=True)):
            return False
        gradients = zip(e.op.wrt, before.vjp, after.vjp, strict=True)
        if any(_follows(a, b) for n, a, b in gradients if n in names and a is not None and b is not None):
            return False
    return True


def _follows(before: Array, after: Array) -> bool:
    """Whether another sample than the first has changed."""
    return bool((np.abs(after[1:] - before[1:]) > 1e-10 * size(before)).any())


def _first_times(x: Array, factor: float) -> Array:
    changed = x.copy()
    changed[:1] *= factor
    return changed
