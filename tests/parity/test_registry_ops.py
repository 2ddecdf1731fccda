"""Every op of the catalogue keeps every promise on every runner: the product of this project."""

from zlib import crc32

import pytest

from porting import check
from porting.parity.finding import KINDS, STATUSES
from porting.registry import ops
from porting.runners import RUNNERS

INSTALLED = [key for key, runner in RUNNERS.items() if runner.missing() is None]


@pytest.mark.parametrize("runner", INSTALLED)
@pytest.mark.parametrize("op", ops().values(), ids=lambda op: op.name)
def test_contract(op, runner):
    report = check(op, runners=[runner])
    assert report.counts["differ"] == 0, str(report)
    assert not report.problems
    assert report.exit_code == 0
    assert all(result.status in STATUSES for result in report.results)
    assert all(finding.kind in KINDS for result in report.results for finding in result.findings)
    judged = [result for result in report.results if result.status in {"agree", "waived"}]
    assert all(result.compared for result in judged)
    assert {result.dtype for result in judged} == {"float16", "bfloat16", "float32", "float64"}
    assert all(result.largest < 0.7 for result in judged), "the tolerance leaves too little room"


@pytest.mark.parametrize("mode", ["function", "xla"])
@pytest.mark.parametrize("op", ops().values(), ids=lambda op: op.name)
@pytest.mark.slow
def test_graph_modes(op, mode):
    pytest.importorskip("tensorflow")
    report = check(op, runners=["tf"], modes=[mode], dtypes=["float32", "float64"], only=["value", "vjp"])
    assert report.counts["differ"] == 0, str(report)
    assert report.counts["agree"] + report.counts["known"] == 4  # value and vjp in two dtypes


@pytest.mark.slow
@pytest.mark.parametrize("op", ops().values(), ids=lambda op: op.name)
def test_no_false_alarm(op):
    report = check(op, seed=1 + crc32(op.name.encode()) % 1000, runners=INSTALLED)  # a seed of its own
    assert report.counts["differ"] == 0, str(report)
    assert max(r.largest for r in report.results if r.status == "agree") < 0.7
