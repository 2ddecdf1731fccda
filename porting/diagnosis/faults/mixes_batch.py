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
    moved = [replace(case, dy=tuple(_first_doubled(v) for v in case.dy or ()))]
    shapes = {v.shape[:1] for v in case.dy or ()}
    moved += [
        replace(case, inputs={**case.inputs, n: _first_doubled(case.inputs[n])})
        for n in e.op.wrt
        if case.inputs[n].ndim >= _BATCHED and case.inputs[n].shape[:1] in shapes  # what is shared has no samples
    ]
    if not _keeps_samples_apart(e, case):
        return
    for name, changed in product(e.example.wrong, moved):
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


def _keeps_samples_apart(e: Evidence, case: Case) -> bool:
    """Whether no value of another sample follows the first one: else the rows of an input are no samples."""
    probe = e.probe(e.dtype)
    before = probe.truth(case).value
    batch = {len(y) for y in before if np.ndim(y)}
    for name, x in case.inputs.items():
        if name not in e.op.wrt or x.ndim == 0 or {len(x)} != batch:
            continue
        after = probe.truth(replace(case, inputs={**case.inputs, name: _first_doubled(x)})).value
        if any((np.abs(z[1:] - y[1:]) > 1e-10 * size(y)).any() for y, z in zip(before, after, strict=True)):
            return False
    return True


def _first_doubled(x: Array) -> Array:
    changed = x.copy()
    changed[:1] *= 2
    return changed
