"""Writes a report for the terminal: each finding, and why something was waived or not compared."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from rich.console import Group, RenderableType
from rich.text import Text

from porting.dtypes import FLOATS
from porting.parity.budget import CUT
from porting.parity.checks import checks
from porting.parity.checks.broadcast import UNSAID
from porting.parity.digits import FREE
from porting.parity.finding import Finding, Result
from porting.parity.report import Report
from porting.parity.sides import EVERYDAY
from porting.report.marks import mark
from porting.report.verdicts import MARKS, OTHER
from porting.runners.base import telling_line

_CLAIM: Final = r"Likely cause|If \w+ is right( and [\w ]+ meant)?|If [\w ]+ (is|are) meant"
_FACTS: Final = ("dtype_differs", "shape_differs", "raw_repaired")
_LONGEST: Final = 600  # of a reason: an exception may hold whole arrays


def findings(report: Report, *, every: bool = False) -> RenderableType:
    """Return one message per side that differs, or every finding."""
    return Group(*(_block(message) for message in (report.all_messages if every else report.messages)))


def notes(report: Report) -> RenderableType:
    """Return the waivers and accepted differences with their reasons, dead entries, and what was not compared."""
    lines: list[RenderableType] = []
    for status, title in (
        ("waived", "Waived by the contract"),
        ("known", "Accepted differences"),
        ("no verdict", "No verdict"),
    ):
        said = dict.fromkeys((r.op, r.check, r.runner, _reason(r.note)) for r in report.results if r.status == status)
        if said:
            lines.append(Text(title, style="bold"))
            lines += [Text(f"  {who}: {what}") for who, what in _joined(said)]
    if cut := dict.fromkeys(f"  {r.op} {r.check} ({r.runner}): {r.note}" for r in report.results if _is_cut(r)):
        lines += [Text("Compared in part", style="bold"), *map(Text, cut)]
    for raises, title in ((False, "it may be meant so"), (True, "the backward raises there")):
        if told := _noted(report, raises=raises):
            lines += [Text(f"{report.notes_title}: {title} (--strict counts them as differences)", style="bold"), *told]
    lines += [Text(problem, style="bold red") for problem in report.problems]
    uses = _uncompared_uses(report)
    if report.missing or uses:
        lines.append(Text("Not compared", style="bold"))
        lines += [Text(f"  {name}: {reason}") for name, reason in report.missing.items()]
        lines += uses
    return Group(*lines)


def _uncompared_uses(report: Report) -> list[Text]:
    """Return in which graphs and modes a side of a pair is not compared, and that its inputs are not broadcast.

    A reference has no truth but itself.
    """
    left = [
        (r.op, f"{r.check}{'' if r.mode == 'eager' else f' in mode {r.mode}'}", r.runner, _reason(r.note))
        for r in report.results
        if r.op in report.pairs and r.status == "not applicable"
        if (checks()[r.check].graph or r.note == UNSAID if r.mode == "eager" else r.check in EVERYDAY)
    ]
    return [Text(f"  {who}: {what}") for who, what in _joined(dict.fromkeys(left))]


def _is_cut(result: Result) -> bool:
    return result.note.startswith((CUT, FREE)) and result.status != "no verdict"


def _noted(report: Report, *, raises: bool) -> list[RenderableType]:
    """Return each note once for all types, with what to do about it; an exception once for all checks that meet it."""
    shown = "\n".join(report.messages)
    above = {_exception(r, f) for r in report.results if r.status == "differ" for f in r.findings}
    above = {said for said in above if said[-1] in shown}
    told: dict[tuple[str, ...], dict[str, str]] = {}
    types: dict[tuple[str, ...], set[str]] = {}
    for result in report.results:
        first = next(iter(result.findings), None)
        if result.status == "note" and first is not None and _raises_backward(first) == raises:
            fixes = [d.fix for d in report.diagnoses if d.side == result.side and d.cause == result.check]
            what = "the same error as above" if raises and _exception(result, first) in above else _what(result)
            who = "both sides" if first.fields.get("alike") else result.runner  # what they share is told once
            of = _exception(result, first) if raises else (result.op, who, what)
            group = told.setdefault((*of, *fixes), {})
            types.setdefault((*of, *fixes), set()).add(result.dtype)
            if any(". ".join([what, *fixes]) != said for said in group.values()):  # not in one use alone
                what = replace(first, fields={name: first.fields[name] for name in ("stage", "type", "message")}).what
                group |= dict.fromkeys(group, ". ".join([what, *fixes]))
            group[result.check] = ". ".join([what, *fixes])
    return [
        Text(f"  {key[0]} {', '.join(of)} ({key[1]}{_of_types(types[key])}): {next(iter(of.values()))}")
        for key, of in told.items()
    ]


def _of_types(dtypes: set[str]) -> str:
    """Say in which types something was seen, if not in the widest: the other side may be asked in a wider one."""
    return "" if FLOATS[-1] in dtypes else f", {', '.join(sorted(dtypes))}"


def _what(result: Result) -> str:
    """Return the first finding of a note; of types and shapes all, as that of an output is not that of a gradient."""
    first, *rest = result.findings
    more = [finding.what for finding in rest if finding.code in _FACTS] if first.code in _FACTS else []
    return "; ".join(dict.fromkeys([first.what, *more]))


def _raises_backward(finding: Finding) -> bool:
    return finding.code == "raised" and finding.has(stage="backward")


def _exception(result: Result, finding: Finding) -> tuple[str, ...]:
    """Return whose exception it is, and what it says, in whatever use."""
    said = finding.fields if finding.code == "raised" else {}
    message = telling_line(str(said.get("message", "")))  # further lines may show numbers, others each time
    return result.op, result.runner, str(said.get("type", "")), message


PROOF: Final = "float64 proves the formula, float32 its precision, 16 bits prove dtype, overflow and NaN behaviour."


def result_line(result: Result, *, letters: bool = False) -> Text:
    """Return one result on one line, for -v; its mark in letters where they are wanted."""
    sign, style = MARKS.get(result.status, OTHER)
    mode = "" if result.mode == "eager" else f" {result.mode}"
    where = f"{result.op} {result.check} {result.runner} {result.device}{mode} {result.dtype}"
    note = f"  {_reason(result.note)}" if result.note else ""
    return Text.assemble((mark(sign, letters=letters).strip(), style), f" {where}: {result.status}", (note, "dim"))


def _block(message: str) -> Text:
    text = Text(message)
    text.highlight_regex(r"(?m)^\S.* · ", "bold")
    text.highlight_regex(r"(?m)^  (\S+:\d+|again: .*)$", "dim")
    text.highlight_regex(rf"(?m)^  ({_CLAIM})[,:] .*$", "bold yellow")
    return text.append("\n")


def _reason(note: str) -> str:
    """Return a note without the numbers that a witness brings, so that four dtypes say it once, and not too long."""
    said = note.partition(": vjp(")[0]
    return said if len(said) <= _LONGEST else f"{said[:_LONGEST]} … ({len(said)} characters; all of them with --json)"


def _joined(said: Iterable[tuple[str, str, str, str]]) -> list[tuple[str, str]]:
    """Say a reason once for all checks and runners of an op that share it."""
    runners: dict[tuple[str, str, str], list[str]] = {}
    for op, check, runner, reason in said:
        runners.setdefault((op, check, reason), []).append(runner)
    found: dict[tuple[str, str, str], list[str]] = {}
    for (op, check, reason), who in runners.items():
        found.setdefault((op, ", ".join(dict.fromkeys(who)), reason), []).append(check)
    return [(f"{op} {', '.join(names)} ({who})", reason) for (op, who, reason), names in found.items()]
