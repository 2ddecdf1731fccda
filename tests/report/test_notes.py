"""Notes, disagreements and missing verdicts, as the reports tell them."""

import dataclasses
import io
from xml.etree import ElementTree

import numpy as np
import pytest
from rich.console import Console
from samplereport import CAUSE, FINDING, WORST, result

import porting
from porting import Pair
from porting.parity.finding import Finding
from porting.parity.report import Report
from porting.report import text
from porting.report.cells import worst
from porting.report.junit import junit


def test_a_note_is_told_once_and_makes_no_exit_1():
    notes = [result("note", check="keyword_call", dtype=dtype, findings=(FINDING,)) for dtype in ("float32", "float64")]
    advice = dataclasses.replace(CAUSE, cause="keyword_call", fix="Put it inside.")
    report = Report((result("agree"), *notes), diagnoses=(advice,))
    assert (report.exit_code, report.counts["note"], report.messages) == (0, 2, [])
    assert "1 agree, 2 notes, 0 differ" in report.summary
    console = Console(width=200, record=True, file=io.StringIO())
    console.print(text.notes(report))
    line = "  swish keyword_call (tf): gradient of x differs from the oracle. Put it inside."
    assert console.export_text().splitlines().count(line) == 1
    suite = ElementTree.fromstring(junit(report).encode()).find("testsuite")
    assert suite.get("failures") == "0"
    assert len(suite.findall("testcase/system-out")) == 2


def test_notes_for_inputs_that_nobody_described_are_headed_so():
    """What is so for a guessed matrix may not be so for the one that is meant."""
    note = result("note", check="adjoint", findings=(FINDING,))
    another = dataclasses.replace(note, op="mish")
    described = Report((note,), pairs=("swish",))
    guessed = dataclasses.replace(described, undescribed=("swish",))
    assert described.notes_title == "Notes"
    assert guessed.notes_title == "Notes, for inputs that nobody described"
    assert dataclasses.replace(guessed, results=(note, another)).notes_title == "Notes", "one is described"


@pytest.mark.parametrize(("inputs", "told"), [({}, ("asinh",)), ({"x": porting.array()}, ())])
def test_who_described_no_inputs_is_known(inputs, told):
    pair = Pair(torch=np.arcsinh, tf=np.arcsinh, name="asinh", inputs=inputs)
    assert porting.check(pair, only=["value"], isolate=False).undescribed == told


@pytest.mark.parametrize(("dtypes", "who"), [(["float32"], "tf, float32"), (["float32", "float64"], "tf")])
def test_a_note_of_a_narrow_type_says_so(dtypes, who):
    """The other side may be asked in a wider one: differs from TensorFlow in float64."""
    notes = [result("note", check="adjoint", dtype=dtype, findings=(FINDING,)) for dtype in dtypes]
    console = Console(width=200, record=True, file=io.StringIO())
    console.print(text.notes(Report(tuple(notes))))
    assert f"swish adjoint ({who}): gradient" in console.export_text()


def test_a_pair_whose_gradient_got_no_verdict_is_not_proven():
    undecided = result("no verdict", note="it draws random numbers", compared=0)
    report = Report((undecided, result("agree", check="adjoint")), pairs=("swish",))
    assert report.undecided == {"swish": "vjp of the tf side: it draws random numbers"}
    assert report.exit_code == 5
    assert Report((undecided, result("agree", dtype="float64")), pairs=("swish",)).exit_code == 0
    assert Report((undecided, result("agree", check="adjoint"))).exit_code == 0, "no pair"


def test_a_pair_of_complex_numbers_alone_agrees_where_they_do():
    refused = [result("no verdict", check=check, compared=0) for check in ("value", "vjp", "linear")]
    complex_ = result("agree", check="complex_numbers")
    assert (worst(refused), worst([*refused, complex_])) == ("no verdict", "agree")
    assert worst([*refused, complex_, result("differ")]) == "differ"
    assert worst([*refused, dataclasses.replace(complex_, op="another")]) == "no verdict"


def test_of_a_run_that_was_cut_nothing_agrees_whose_gradient_was_not_reached():
    reached, other = result("agree"), result("agree", check="layouts")
    assert (worst([other]), worst([other], cut=True), worst([other, reached], cut=True)) == (
        "agree", "no verdict", "agree",
    )  # fmt: skip
    assert worst([result("differ", check="layouts")], cut=True) == "differ"


def test_two_sides_that_only_disagree_share_a_message():
    differs = Finding("differs", {"quantity": "gradient", "name": "x", "truth": "PyTorch"}, "disagreement", WORST, 3, 8)
    mine = result(findings=(differs,))
    theirs = result(
        runner="torch", findings=(dataclasses.replace(differs, fields={**differs.fields, "truth": "TensorFlow"}),)
    )
    causes = [
        dataclasses.replace(CAUSE, kind="disagreement", provided="PyTorch", fix="say who is right"),
        dataclasses.replace(CAUSE, runner="torch", kind="disagreement", provided="TensorFlow", fix="say who is right"),
    ]
    (message,) = Report((mine, theirs), diagnoses=tuple(causes)).messages
    assert "dx[3,17] = nan, PyTorch has 1 " in message
    assert "If PyTorch is right: It overflows. (overflow, disagreement)\n    seen on the tf side: dx = nan" in message
    assert "If TensorFlow is right: It overflows. (overflow, disagreement)" in message
    assert message.count("say who is right") == 1
    own = dataclasses.replace(FINDING, kind="fault")
    assert len(Report((mine, result(check="leak", findings=(own,)), theirs), diagnoses=tuple(causes)).messages) == 2
