"""Every op of the catalogue keeps every promise on every runner: the product of this project."""

from itertools import product

import pytest
from turns import EVERY, is_its_turn, turn

from porting import check
from porting.parity.finding import KINDS, STATUSES
from porting.registry import ops
from porting.runners import RUNNERS

# With seed 0 `porting check` does all ops and types before the tests, in CI and by the README; another does some.
DTYPES = (("float64",), ("float16",), ("float32",), ("bfloat16",))
INSTALLED = [key for key, runner in RUNNERS.items() if runner.missing() is None]


@pytest.mark.parametrize("op", [op for op in ops().values() if is_its_turn(op.name, 2)], ids=lambda op: op.name)
def test_contract(op):
    seed = 1 + turn(op.name, 1000)
    dtypes = sum(DTYPES, ()) if EVERY else DTYPES[seed % 4]
    report = check(op, seed=seed, dtypes=dtypes, runners=INSTALLED, modes=["eager"])  # no graph depends on a seed
    assert report.counts["differ"] == 0, str(report)
    assert not report.problems
    assert report.exit_code == 0
    assert all(result.status in STATUSES for result in report.results)
    assert all(finding.kind in KINDS for result in report.results for finding in result.findings)
    judged = [result for result in report.results if result.status in {"agree", "waived"}]
    assert all(result.compared for result in judged)
    assert {(result.runner, result.dtype) for result in judged} == set(product(INSTALLED, dtypes))
    assert all(result.largest < 0.7 for result in judged), "the tolerance leaves too little room"


@pytest.mark.parametrize("op", ops().values(), ids=lambda op: op.name)
@pytest.mark.slow
def test_compiled_in_single_precision(op):
    pytest.importorskip("tensorflow")
    # The check `traced` sees a graph, with the eager kernels, and `xla` the compiler's own in float64. What these do in
    # single precision one program shows, which gives value and gradient: each further one takes a second.
    report = check(op, runners=["tf"], modes=["xla"], dtypes=["float32"], only=["vjp"], quick=True)
    assert report.counts["differ"] == 0, str(report)
    assert [r.check for r in report.results if r.status in {"agree", "known"}] == ["vjp"]
