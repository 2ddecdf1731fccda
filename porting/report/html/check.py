"""Writes the report of a check as one HTML page, or as the part of it that a notebook shows."""

from typing import Any, Final

from porting.backends import TITLES
from porting.parity.finding import Result
from porting.parity.report import EXIT_DIFFER, EXIT_NOTHING, Report
from porting.report.cells import side_title, worst
from porting.report.html.environment import rendered
from porting.report.html.ids import Ids
from porting.report.html.style import style
from porting.report.html.told import Teller
from porting.report.html.verdicts import MARKS, checked, columns, matrix

_NAMED: Final = 3  # ops in the title
_ACCEPTED: Final = {"waived": "Waived by the contract", "known": "Accepted differences", "no verdict": "No verdict"}


def page(report: Report) -> str:
    """Return the page: the matrix, what differs, notes, and every check of every op. It asks nothing of any network.

    Parameters
    ----------
    report : Report
        What was found; the same report gives the same page.
    """
    names = _names(report)
    names["ops"] = list(checked(report, names["ids"]))
    return rendered("page.html.j2", style=style("check"), **names)


def fragment(report: Report) -> str:
    """Return what a notebook shows of a report: the matrix and the findings, without the list of all checks."""
    return rendered("fragment.html.j2", style=style("check"), **{**_names(report), "ops": []})


def _names(report: Report) -> dict[str, Any]:
    """Return what the templates use."""
    ids = Ids()
    teller = Teller(report, ids)
    differing, noted = teller.differing(), teller.noted()
    sides = columns(report.results)
    ops = list(dict.fromkeys(r.op for r in report.results))
    verdict = {EXIT_DIFFER: "differ", EXIT_NOTHING: "no verdict"}.get(report.exit_code, worst(report.results))
    families = matrix(report, sides, ids, teller.links)
    shown = {cell.status for rows in families.values() for row in rows for cell in row.cells}
    return {
        "report": report,
        "ids": ids,
        "title": ", ".join(ops) if len(ops) <= _NAMED else f"{len(ops)} ops",
        "verdict": verdict,
        "marks": MARKS,
        "legend": [status for status in MARKS if status in shown],
        "sides": sides,
        "families": families,
        "differing": differing,
        "noted": noted,
        "reasons": {title: found for status, title in _ACCEPTED.items() if (found := _reasons(report, status))},
        "versions": [f"{TITLES.get(name, name)} {version}" for name, version in report.environment.items()],
    }


def _reasons(report: Report, status: str) -> list[tuple[str, str, str]]:
    """Return op and checks, sides, and the reason, of what has a status; a reason once for all that share it."""
    found: dict[tuple[str, str], tuple[dict[str, None], dict[str, None]]] = {}
    for r in report.results:
        if r.status == status:
            checks, sides = found.setdefault((r.op, r.note.partition(": vjp(")[0]), ({}, {}))
            checks[r.check] = sides[_side(r)] = None
    return [(f"{op} {', '.join(checks)}", ", ".join(sides), why) for (op, why), (checks, sides) in found.items()]


def _side(result: Result) -> str:
    return side_title(*result.side[1:])
