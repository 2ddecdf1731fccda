"""The reports of all seeds as one: it has each check once, with its worst status and the sums of what was compared."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from porting.parity.finding import Diagnosis, Finding, Result, Side
from porting.parity.report import Report
from porting.sweep.work import Done

_WORST: Final = ("differ", "note", "no verdict", "known", "waived", "agree", "not applicable")


class Totals:
    """What was seen so far; its memory does not grow with the number of seeds.

    Attributes
    ----------
    cases : int
        How many results there were, without those that do not apply.
    where : dict of str to int
        How many chunks each machine did.
    """

    def __init__(self) -> None:
        self.cases = 0
        self.where: dict[str, int] = {}
        self._results: dict[tuple[str, ...], Result] = {}
        self._diagnoses: dict[tuple[Side, str], Diagnosis] = {}
        self._described: dict[str, None] = {}
        self._pairs: dict[str, None] = {}
        self._sources: dict[str, tuple[str, ...]] = {}

    def add(self, done: Done) -> None:
        """Add the reports of one op and some seeds."""
        self.where[done.where] = self.where.get(done.where, 0) + 1
        for text in done.reports:
            self._add(Report.from_json(text))

    def _add(self, report: Report) -> None:
        for result in report.results:
            self.cases += result.status != "not applicable"
            place = (result.op, result.check, result.runner, result.device, result.mode, result.dtype)
            before = self._results.get(place)
            self._results[place] = result if before is None else _merged(before, result)
        for diagnosis in report.diagnoses:
            self._diagnoses.setdefault((diagnosis.side, diagnosis.cause), diagnosis)
        self._described.update(dict.fromkeys(report.described))
        self._pairs.update(dict.fromkeys(report.pairs))
        self._sources.update(report.sources)

    def report(self, missing: Mapping[str, str], environment: Mapping[str, str], *, interrupted: bool) -> Report:
        """Return all as one report."""
        return Report(
            tuple(self._results.values()), dict(missing), dict(environment), (), interrupted,
            tuple(self._diagnoses.values()), tuple(self._described), tuple(self._pairs),
            self._sources,
        )  # fmt: skip


def _merged(one: Result, other: Result) -> Result:
    """Return the worse of two results of the same check, the first one of equals, with the sums of both."""
    worse = min(one, other, key=lambda result: _WORST.index(result.status))
    findings: dict[Any, Finding] = {}
    for finding in (*one.findings, *other.findings):
        known = findings.get(finding.key)
        findings[finding.key] = finding if known is None else known.merged(finding)
    told = tuple(findings.values()) if {one.status, other.status} <= {worse.status} else worse.findings
    return replace(
        worse,
        findings=told,
        compared=one.compared + other.compared,
        excused=one.excused + other.excused,
        largest=max(one.largest, other.largest),
        cut=one.cut or other.cut,
    )
