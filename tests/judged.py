"""Who is accused of what in a pair, and the cause that is told first: for tests of what was seen in strangers' code."""

import porting
from porting.parity import sentences


def accused(pair, **asked):
    """Return the sides that are accused of something, and the report."""
    found, report = accused_by(pair, **asked)
    return {who for who, _ in found}, report


def accused_by(pair, **asked):
    """Return the sides that are accused, each with the check that does, and the report."""
    report = porting.check(pair, **asked)
    return {(r.runner, r.check) for r in report.results if r.status == "differ"}, report


def first_cause(pair, runner, **asked):
    """Return the first cause that is told of a side, after it was found."""
    found, report = accused(pair, **asked)
    assert runner in found, str(report)
    return next(cause.cause for cause in report.diagnoses if cause.runner == runner)


def with_codes_for_sentences(monkeypatch):
    """Replace every sentence of a finding by its code: a verdict that changes was read off the words."""
    monkeypatch.setattr(sentences, "sentence", lambda code, _: code)
    monkeypatch.setattr(sentences, "further", lambda code, _: (code,))
