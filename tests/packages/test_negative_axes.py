"""An axis that is counted from the end is the same axis: value and gradient, in both frameworks."""

import numpy as np
import pytest

from porting.backends import BACKENDS
from porting.parity.cases import Cases
from porting.registry import ops
from porting.runners import RUNNERS

WITH_AXIS = [name for name, op in ops().items() if "axis" in op.statics]


@pytest.mark.parametrize("key", BACKENDS)
@pytest.mark.parametrize("name", WITH_AXIS)
def test_each_axis_by_both_its_numbers(name, key):
    runner, op = RUNNERS[key], ops()[name]
    if runner.missing():
        pytest.skip(runner.missing())
    cases = Cases(op, "float64")
    statics = next(iter(cases.variants()))
    rank = next(iter(cases.case("axes", statics=statics).inputs.values())).ndim
    assert rank > 1
    for axis in range(rank):
        found = [runner.run(cases.case("axes", statics={**statics, "axis": number})) for number in (axis, axis - rank)]
        assert [outcome.raised for outcome in found] == [None, None], axis
        for this, that in zip(*([*outcome.value, *outcome.vjp] for outcome in found), strict=True):
            np.testing.assert_array_equal(this, that)
