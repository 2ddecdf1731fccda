"""Many reports as one: the worst status, all findings, the sums; and chunks by number."""

import dataclasses
import itertools

import pytest

from porting.parity.finding import Diagnosis, Finding, Result, Worst
from porting.parity.plan import Task
from porting.parity.report import Report
from porting.registry import ops
from porting.sweep.chunk import Chunks, Settings
from porting.sweep.totals import Totals
from porting.sweep.work import Done


def finding(what, ratio=2.0):
    worst = Worst("dx", (0,), 1.0, 2.0, {}, 10.0, 5.0, ratio)
    return Finding("told", {"what": what, "details": ()}, "fault", worst, 1, 8)


def result(status="agree", seed=0, *findings, **changes):
    base = Result("swish", "vjp", "torch", "cpu", "eager", "float32", seed, status, compared=8, largest=0.1)
    return dataclasses.replace(base, findings=findings, **changes)


def totals(*reports):
    found = Totals()
    for report in reports:
        found.add(Done([report.to_json()], "here"))
    assert found.where == ({"here": len(reports)} if reports else {})
    return found, found.report({}, {}, interrupted=False)


def test_sums_and_the_worst():
    seeds = [
        result("agree", 0),
        result("differ", 1, finding("a", 2.0)),
        result("differ", 2, finding("a", 9.0), finding("b")),
    ]
    for order in itertools.permutations(seeds):
        found, report = totals(*(Report((r,)) for r in order))
        (only,) = report.results
        assert (found.cases, only.status, only.compared, only.largest) == (3, "differ", 24, 0.1)
        assert {f.what: (f.worst.ratio, f.bad) for f in only.findings} == {"a": (9.0, 2), "b": (2.0, 1)}
        assert only.seed in {1, 2}
        assert report.exit_code == 1


def test_the_lines_of_source_of_all_seeds_are_kept():
    _, report = totals(
        Report((result(),), sources={"a.py:2": ("1", "2")}), Report((result(),), sources={"b.py:1": ("3",)})
    )
    assert report.sources == {"a.py:2": ("1", "2"), "b.py:1": ("3",)}


def test_the_seed_is_one_that_differs():
    _, report = totals(
        *(Report((result("differ" if k == 7 else "agree", k, *[finding("a")] * (k == 7)),)) for k in range(9))
    )
    assert report.results[0].seed == 7


@pytest.mark.parametrize(
    ("statuses", "worst"),
    [(["agree", "no verdict"], "no verdict"), (["note", "no verdict"], "note"), (["known", "agree"], "known"),
     (["not applicable", "agree"], "agree"), (["not applicable"], "not applicable")],
)  # fmt: skip
def test_which_status_is_worse(statuses, worst):
    found, report = totals(*(Report((result(status),)) for status in statuses))
    assert [r.status for r in report.results] == [worst]
    assert found.cases == sum(status != "not applicable" for status in statuses)


def test_places_are_apart_and_causes_are_told_once():
    cause = Diagnosis("swish", "torch", "cpu", "eager", "wrong_sign", "fault", "t", "seen", "fix")
    one = Report((result(), result(dtype="float64")), diagnoses=(cause,), described=("swish(x)",), pairs=("swish",))
    _, report = totals(one, one)
    assert [r.dtype for r in report.results] == ["float32", "float64"]
    assert report.diagnoses == (cause,)
    assert (report.described, report.pairs) == (("swish(x)",), ("swish",))


def tasks(*counts):
    """Return tasks of as many ops as there are counts."""
    return [
        Task(op, f"check{k}", "torch", "cpu", "eager", "float32")
        for op, count in zip(ops().values(), counts, strict=False)
        for k in range(count)
    ]


@pytest.mark.parametrize("counts", [(40,), (3,), (40, 3, 16, 1)])
@pytest.mark.parametrize("seeds", [range(1), range(5), range(3, 40)])
def test_every_task_is_done_with_every_seed_once(counts, seeds):
    chunks = Chunks(tasks(*counts), seeds, Settings())
    found = [(task, seed) for k in range(len(chunks)) for task in chunks[k].tasks for seed in chunks[k].seeds]
    assert len(found) == len(set(found)) == sum(counts) * len(seeds)
    assert {seed for _, seed in found} == set(seeds)
    whole = [c for k in range(len(chunks)) if (c := chunks[k]).seeds[-1] < seeds[-1]]
    assert all(len(c.tasks) * len(c.seeds) >= 16 for c in whole)
    with pytest.raises(IndexError):
        chunks[len(chunks)]


def test_the_last_of_many_chunks_is_found_at_once():
    seeds = range(10**12)
    chunks = Chunks(tasks(3, 40), seeds, Settings())
    assert chunks[len(chunks) - 1].seeds[-1] == seeds[-1]
