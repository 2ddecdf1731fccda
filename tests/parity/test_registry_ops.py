"""Every op of the catalogue keeps every promise on every runner: the product of this project."""

from itertools import product
from zlib import crc32

import pytest

from porting import check
from porting.parity.finding import KINDS, STATUSES
from porting.registry import ops
from porting.runners import RUNNERS

DTYPES = ("float16", "bfloat16", "float32", "float64")
INSTALLED = [key for key, runner in RUNNERS.items() if runner.missing() is None]


@pytest.mark.parametrize("op", ops().values(), ids=lambda op: op.name)
def test_contract(op):
    # A seed of its own: with seed 0, `porting check` does the same before the tests, in CI and by the README.
    report = check(op, seed=1 + crc32(op.name.encode()) % 1000, runners=INSTALLED)
    assert report.counts["differ"] == 0, str(report)
    assert not report.problems
    assert report.exit_code == 0
    assert all(result.status in STATUSES for result in report.results)
    assert all(finding.kind in KINDS for result in report.results for finding in result.findings)
    judged = [result for result in report.results if result.status in {"agree", "waived"}]
    assert all(result.compared for result in judged)
    assert {(result.runner, result.dtype) for result in judged} == set(product(INSTALLED, DTYPES))
    assert all(result.largest < 0.7 for result in judged), "the tolerance leaves too little room"


@pytest.mark.parametrize("op", ops().values(), ids=lambda op: op.name)
@pytest.mark.slow
def test_graph_modes(op):
    pytest.importorskip("tensorflow")
    modes, dtypes, only = ["function", "xla"], ["float32", "float64"], ["value", "vjp"]
    report = check(op, runners=["tf"], modes=modes, dtypes=dtypes, only=only)
    assert report.counts["differ"] == 0, str(report)
    seen = [(r.mode, r.dtype, r.check) for r in report.results if r.status in {"agree", "known"}]
    assert sorted(seen) == sorted(product(modes, dtypes, only))
