"""What a check cannot deal with is no verdict on a user's op, and is told; of our own op it is raised."""

import pytest

import porting
from porting import Pair
from porting.engine import group
from porting.report.text import notes

torch = pytest.importorskip("torch")


def breaks(task, *settings):
    raise IndexError("list index out of range")


def test_a_check_that_breaks_off_accuses_nobody(monkeypatch):
    monkeypatch.setattr(group, "run", breaks)
    pair = Pair(torch=lambda x: 2 * x, inputs={"x": porting.array((...,))}, name="double")
    report = porting.check(pair, only=["value"], dtypes=["float64"], isolate=False)
    assert {r.status for r in report.results} == {"no verdict"}
    assert report.exit_code == 5
    assert not report.diagnoses
    said = "\n".join(map(str, notes(report).renderables))
    assert "the check itself broke off (IndexError: list index out of range, at test_unfinished.py:" in said
    assert "please report this as a fault of porting" in said


def test_arrays_that_want_more_memory_than_there_is_are_no_fault_of_anybody(monkeypatch):
    def wants(task, *settings):
        raise MemoryError("Unable to allocate 1.66 GiB")

    monkeypatch.setattr(group, "run", wants)
    pair = Pair(torch=lambda x: 2 * x, inputs={"x": porting.array((...,))}, name="double")
    (result,) = porting.check(pair, only=["value"], dtypes=["float64"], isolate=False).results
    assert result.status == "no verdict"
    assert result.note.startswith("what it compares wants more memory than there is (Unable to allocate 1.66 GiB)")


def test_our_own_op_breaks_no_check(monkeypatch):
    monkeypatch.setattr(group, "run", breaks)
    with pytest.raises(IndexError):
        porting.check("sparsemax", only=["value"], dtypes=["float64"], isolate=False)
