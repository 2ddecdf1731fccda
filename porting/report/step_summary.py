"""Writes the summary of a GitHub step, in the file that GitHub names: the checks that differ, with their causes."""

import os
from pathlib import Path
from typing import Final

from porting.parity.report import Report

_VARIABLE: Final = "GITHUB_STEP_SUMMARY"


def summarize(report: Report) -> None:
    """Append the summary to the file that ``GITHUB_STEP_SUMMARY`` names, if it does."""
    path = os.environ.get(_VARIABLE)
    if path:
        with Path(path).open("a", encoding="utf-8") as stream:  # GitHub says: append, other steps write there too
            stream.write(markdown(report))


def markdown(report: Report) -> str:
    """Return the summary as Markdown."""
    lines = ["### porting check", "", f"{report.summary}."]
    sides = dict.fromkeys(r.side for r in report.results if r.status == "differ")
    if sides:
        lines += ["", "| op | runner | found by | likely cause |", "|---|---|---|---|"]
    for side in sides:
        op, runner, device, mode = side
        mine = [r for r in report.results if r.side == side]
        found = dict.fromkeys(r.check for r in mine if r.status == "differ")
        causes = report.causes(mine[0])
        condition = f"{causes[0].condition}: " if causes and causes[0].condition else ""
        named = f"{condition}{causes[0].title} (`{causes[0].cause}`)" if causes else ""
        where = " ".join([runner, *([] if device == "cpu" else [device]), *([] if mode == "eager" else [mode])])
        lines.append(f"| {_cell(op)} | {where} | {', '.join(found)} | {_cell(named)} |")
    lines += [f"- {problem}" for problem in report.problems]
    lines += [f"- not compared: {name}: {reason}" for name, reason in report.missing.items()]
    return "\n".join(lines) + "\n\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
