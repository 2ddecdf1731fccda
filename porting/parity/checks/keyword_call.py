"""Arguments by name."""

from dataclasses import replace

import numpy as np

from porting.parity.checks import NotApplicableError, check
from porting.parity.probe import Probe
from porting.runners import Outcome


@check(runners=("tf",), once=True, note=True)
def keyword_call(probe: Probe) -> None:
    """Called with keyword arguments the op gives the same gradient: tf.custom_gradient drops it without a word."""
    refused = probe.runner.run(replace(probe.case(), use="keyword")).raised
    if refused and refused.type == "TypeError" and "keyword argument" in refused.message:
        raise NotApplicableError("it refuses its inputs as keyword arguments, and says so")
    for case in probe.ordinary():
        by_place, by_name = probe.runner.run(case), probe.runner.run(replace(case, use="keyword"))
        if by_name.raised is None and _same(by_place, by_name):
            probe.fact(True, "differs")
        else:
            probe.expect_use("keyword", "keyword", case)


def _same(a: Outcome, b: Outcome) -> bool:
    """Whether two answers are the same to the last bit: what else is wrong with them, others say."""
    pairs = [*zip(a.value, b.value, strict=False), *zip(a.vjp, b.vjp, strict=False)]
    return all(x is y or (x is not None and y is not None and np.array_equal(x, y, equal_nan=True)) for x, y in pairs)
