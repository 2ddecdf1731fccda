"""Indices that repeat."""

from dataclasses import replace

import numpy as np

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=44,
)
def duplicate_index(e: Evidence) -> str | None:
    """Where an index repeats, one gradient overwrites the other instead of being added.

    A row that is taken once is right, so a test with distinct indices passes.
    """
    names = e.op.contract.integers
    found = e.finding("duplicates")
    if not names or found is None:
        return None
    probe = e.probe(e.dtype)
    lengths = (4, 2, 2, 2, 2)
    base, bounds = probe.case("distinct", lengths=lengths), probe.bounds(lengths)
    for end in (0, -1):  # the first indices, and the last
        inputs = dict(base.inputs)
        for name in names:
            domain, count = bounds[name], inputs[name].size
            numbers = domain if isinstance(domain, range) else range(count)
            chosen = np.arange(count) + (numbers.start if end == 0 else max(numbers.stop - count, numbers.start))
            inputs[name] = chosen.astype(inputs[name].dtype).reshape(inputs[name].shape)
        distinct = e.look(replace(base, inputs=inputs))
        if distinct is None or distinct.wrong:
            return None
    return found.seen
