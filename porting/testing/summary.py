"""The section ``porting`` at the end of a run. It uses only the reports of the tests, so it is the same under xdist."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any, Final

_COUNTED: Final = ("agree", "waived", "known", "note", "differ", "no verdict")


def summary(reports: Iterable[Any]) -> list[str]:
    """Return one line per op: how many checks have each verdict, and the causes that were named."""
    verdicts: dict[str, Counter[str]] = defaultdict(Counter)
    causes: dict[str, Counter[str]] = defaultdict(Counter)
    for report in reports:
        if getattr(report, "when", "") != "call":
            continue
        said = {name: value for name, value in report.user_properties if name.startswith("porting_")}
        if "porting_status" in said:
            verdicts[said["porting_op"]][said["porting_status"]] += 1
            if "porting_cause" in said:
                causes[said["porting_op"]][said["porting_cause"]] += 1
    return [_line(op, counts, causes[op]) for op, counts in sorted(verdicts.items())]


def _line(op: str, counts: Counter[str], causes: Counter[str]) -> str:
    verdicts = ", ".join(f"{counts[status]} {status}" for status in _COUNTED if counts[status])
    named = ", ".join(f"{cause} ({n} check{'s' * (n != 1)})" for cause, n in sorted(causes.items()))
    return f"{op}: {verdicts or 'nothing applies'}{f'; likely: {named}' if named else ''}"
