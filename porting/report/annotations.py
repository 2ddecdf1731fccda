"""Writes findings as GitHub annotations: the ten worst, because a step shows no more than ten."""

from typing import Final

from porting.parity.finding import Finding, Result
from porting.parity.report import Report

_SHOWN: Final = 10


def github(report: Report) -> str:
    """Return one ``::error`` line per finding, the worst first."""
    found = [(r, f) for r in report.results if r.status == "differ" for f in r.findings]
    found.sort(key=lambda pair: -(pair[1].worst.ratio if pair[1].worst else float("inf")))
    lines = [_line(report, result, finding) for result, finding in found[:_SHOWN]]
    lines += [f"::error title=porting::{_text(problem)}" for problem in report.problems]
    if len(found) > _SHOWN:
        lines.append(f"::notice title=porting::{len(found) - _SHOWN} more findings are in the log")
    return "\n".join(lines)


def _line(report: Report, result: Result, finding: Finding) -> str:
    file, _, line = result.where.rpartition(":")
    place = f"file={_property(file)},line={line}," if line.isdigit() else ""
    title = f"{result.op} {result.runner} {result.dtype}"
    likely = [f"{cause.claim}\n{cause.advice}" for cause in report.causes(result)[:1]]
    message = "\n".join([finding.what, *finding.details, *likely, f"again: {result.again}"])
    return f"::error {place}title={_property(title)}::{_text(message)}"


def _text(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _text(text).replace(":", "%3A").replace(",", "%2C")
