"""What has changed between two reports is told, and nothing that has not."""

import dataclasses

from samplereport import FINDING, SAID, result

from porting.parity.finding import Finding
from porting.parity.report import Report
from porting.report.since import lines, since

AGREES = result("agree", largest=0.2)
OTHER = Finding("told", {**SAID, "what": "value differs from the oracle"})


def changed(before, now):
    """Return what has changed between two reports, the earlier one read back from its JSON."""
    return since(Report.from_json(Report(tuple(before)).to_json()), Report(tuple(now)))


def test_the_same_report_has_changed_in_nothing():
    both = [result(), result("agree", check="value"), result("not applicable", check="layouts", findings=())]
    found = changed(both, both)
    assert found.nothing
    assert found.both == 3
    assert list(lines(found, "base"))[1:] == [
        "  nothing has changed in 3 checks; largest accepted error 0.00 of its tolerance, then 0.00"
    ]


def test_a_finding_is_new_or_gone():
    new, gone = changed([AGREES], [result()]), changed([result()], [AGREES])
    assert [f.what for _, f in new.new] == [FINDING.what]
    assert [f.what for _, f in gone.gone] == [FINDING.what]
    assert new.gone == gone.new == new.verdicts == gone.verdicts == ()
    assert any("new: swish  tf cpu float32 · vjp: gradient of x differs" in line for line in lines(new, "base"))


def test_another_finding_in_its_place_is_both():
    found = changed([result()], [result(findings=(OTHER,))])
    assert [f.what for _, f in found.new] == [OTHER.what]
    assert [f.what for _, f in found.gone] == [FINDING.what]


def test_a_finding_that_becomes_a_note_is_told():
    found = changed([result()], [result("note", findings=(FINDING,))])
    assert len(found.new) == len(found.gone) == 1


def test_a_verdict_without_findings_is_told():
    found = changed([AGREES], [result("no verdict", note="it raises")])
    assert [(a.status, b.status) for a, b in found.verdicts] == [("agree", "no verdict")]
    assert "agree → no verdict" in "\n".join(lines(found, "base"))


def test_an_error_that_grew_is_told_and_rounding_is_not():
    grew = changed([AGREES], [dataclasses.replace(AGREES, largest=0.7)])
    assert [(a.largest, b.largest) for a, b in grew.errors] == [(0.2, 0.7)]
    assert grew.largest == (0.2, 0.7)
    assert changed([AGREES], [dataclasses.replace(AGREES, largest=0.21)]).nothing


def test_what_one_of_them_did_not_make_is_neither_new_nor_gone():
    found = changed([result(), result(check="value")], [result("agree", check="linear")])
    assert (found.only_then, found.only_now, found.both) == (2, 1, 0)
    assert found.new == found.gone == ()
    assert not found.nothing
    assert "2 checks were made only then, 1 only now" in "\n".join(lines(found, "base"))


def test_versions_are_told():
    before, now = Report((AGREES,), environment={"torch": "2.12.0"}), Report((AGREES,), environment={"torch": "2.13.0"})
    assert since(before, now).versions == ("torch 2.12.0 → 2.13.0",)


def test_a_long_list_is_cut():
    checks = [f"c{k}" for k in range(30)]
    found = changed([result("agree", check=c) for c in checks], [result(check=c) for c in checks])
    told = list(lines(found, "base"))
    assert sum(line.startswith("  new: swish") for line in told) == 20
    assert "  new: … and 10 more" in told
