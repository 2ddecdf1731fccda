"""Every op of the catalogue keeps every promise on every runner: the product of this project."""

from itertools import product
from zlib import crc32

import pytest

from porting import check
from porting.dtypes import FLOATS
from porting.parity import known
from porting.parity.finding import KINDS, STATUSES
from porting.registry import ops
from porting.runners import RUNNERS

INSTALLED = [key for key, runner in RUNNERS.items() if runner.missing() is None]
ACCEPTED = {(entry.op, entry.check) for entry in known.load()}  # the check `xla` itself looks at them
GRAPHS = [(op, mode) for op in ops().values() for mode in ("function", "xla") if (op.name, mode) not in ACCEPTED]


@pytest.mark.parametrize("op", ops().values(), ids=lambda op: op.name)
def test_contract(op):
    # A seed of its own: with seed 0 CI's first command checks them all. A right op must pass with any.
    report = check(op, runners=INSTALLED, seed=1 + crc32(op.name.encode()) % 1000)
    assert report.counts["differ"] == 0, str(report)
    assert all(result.status in STATUSES for result in report.results)
    assert all(finding.kind in KINDS for result in report.results for finding in result.findings)
    judged = [result for result in report.results if result.status in {"agree", "waived"}]
    assert all(result.compared for result in judged)
    assert {(result.runner, result.dtype) for result in judged} == set(product(INSTALLED, FLOATS))
    assert all(result.largest < 0.7 for result in judged), "the tolerance leaves too little room"


@pytest.mark.parametrize(("op", "mode"), GRAPHS, ids=lambda x: getattr(x, "name", x))
@pytest.mark.slow
def test_graph_modes(op, mode):
    pytest.importorskip("tensorflow")
    report = check(op, runners=["tf"], modes=[mode], dtypes=["float32", "float64"], only=["value", "vjp"])
    assert report.counts["differ"] == 0, str(report)
    assert report.counts["agree"] == 4  # value and vjp in two dtypes
