"""Writes a report as JUnit XML, which every CI system reads: one test case per check."""

from xml.etree.ElementTree import Element, SubElement, indent, tostring

from porting.parity.finding import Result
from porting.parity.report import Report


def junit(report: Report) -> str:
    """Return the XML text; a check that does not apply or has no verdict is skipped with its reason, never passed."""
    counts = report.counts
    skipped = sum(counts[s] for s in ("not applicable", "no verdict", "known"))
    suites = Element("testsuites")
    suite = SubElement(
        suites,
        "testsuite",
        name="porting",
        tests=str(len(report.results)),
        failures=str(counts["differ"] + len(report.problems)),
        skipped=str(skipped),
        errors="0",
    )
    properties = SubElement(suite, "properties")
    for name, value in {**report.environment, **{f"not compared: {k}": v for k, v in report.missing.items()}}.items():
        SubElement(properties, "property", name=name, value=value)
    for result in report.results:
        _case(suite, result, [str(cause) for cause in report.causes(result)[:1]])
    for problem in report.problems:
        case = SubElement(suite, "testcase", classname="known_differences", name=problem)
        SubElement(case, "failure", message=problem)
    indent(suites)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(suites, encoding="unicode") + "\n"


def _case(suite: Element, result: Result, likely: list[str]) -> None:
    name = f"{result.check}[{result.runner}-{result.device}-{result.mode}-{result.dtype}]"
    file, _, line = result.where.rpartition(":")
    case = SubElement(suite, "testcase", classname=result.op, name=name, file=file, line=line)
    if result.status == "differ":
        for finding in result.findings:
            failure = SubElement(case, "failure", message=finding.what, type=finding.kind)
            failure.text = "\n".join([*finding.details, *likely, f"again: {result.again}"])
    elif result.status in {"not applicable", "no verdict", "known"}:
        SubElement(case, "skipped", message=f"{result.status}: {result.note}")
    elif result.status == "note":
        SubElement(case, "system-out").text = "\n".join(f"note: {finding.seen}" for finding in result.findings)
