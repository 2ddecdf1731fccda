"""A sparse cotangent, as tf.gather sends it."""

import numpy as np

from porting.parity.checks import NotApplicableError, check
from porting.parity.probe import Probe


@check(needs="sparse cotangents", once=True, note=True)
def indexed_slices(probe: Probe) -> None:
    """A cotangent that comes as tf.IndexedSlices gives the same gradient as a dense one."""
    case = probe.case()
    if any(np.ndim(v) == 0 for v in case.dy or ()):
        raise NotApplicableError("an output without axes gets no tf.IndexedSlices")
    probe.expect_change("indexed", "indexed", case)
