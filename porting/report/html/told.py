"""What a report tells of each finding: sentence, numbers, cause, source, picture, and the command that repeats it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import isfinite
from typing import Any, Final

from porting.backends import TITLES
from porting.parity import sentences
from porting.parity.excerpts import number_of, place_of
from porting.parity.finding import Finding, Result, Side
from porting.parity.messages import Group, Messages, leading, shown
from porting.parity.report import Report
from porting.report.cells import side_title
from porting.report.html.ids import Ids
from porting.report.html.plot import plot

_LABEL: Final = 60  # letters of what stands before a colon
_LONG: Final = 40  # letters: what names no finding


@dataclass(frozen=True)
class Line:
    """A line on a likely cause; `below` if it belongs to the one before."""

    label: str
    text: str
    below: bool


@dataclass(frozen=True)
class Told:
    """A finding, for people.

    `numbers` are names with numbers, `source` line numbers with lines. `names` are of what is drawn: who, and with whom
    it is compared; `undrawn` says that the report does not have the numbers for a picture.
    """

    id: str
    check: str
    dtype: str
    what: str
    kind: str
    also: tuple[str, ...]
    details: tuple[str, ...]
    numbers: tuple[tuple[str, str], ...]
    off: str
    place: str
    line: int
    source: tuple[tuple[int, str], ...]
    plot: str
    names: tuple[str, str]
    undrawn: bool
    again: str


@dataclass(frozen=True)
class Part:
    """What is told together: a side, the finding that weighs most, the likely causes, and what else was found."""

    op: str
    side: str
    status: str
    why: tuple[Line, ...]
    lead: Told
    further: tuple[tuple[str, tuple[Told, ...]], ...]


class Teller:
    """Tells a report; it gives each finding its id.

    Attributes
    ----------
    links : dict
        Of each side the id of its first finding.
    """

    def __init__(self, report: Report, ids: Ids) -> None:
        self._report = report
        self._ids = ids
        self._messages = Messages(report.results, report.diagnoses)
        self.links: dict[Side, str] = {}

    def differing(self) -> list[Part]:
        """Return what differs, as the terminal groups it, and then what the other side of a disagreement says of it."""
        said: set[tuple[str, ...]] = set()
        parts = self._messages.parts()
        told = [self._part("differ", groups, *self._messages.because(groups, said)) for groups in parts]
        done = {_key(group) for part in parts for group in part}
        rest: dict[Side, list[Group]] = {}
        for group in self._messages.groups():
            if _key(group) not in done:
                rest.setdefault(group[0][0].side, []).append(group)
        above = ["The likely causes are said above, where the other side stands."]
        return told + [self._part("differ", groups, above, {g[0][0].check for g in groups}) for groups in rest.values()]

    def noted(self) -> list[Part]:
        """Return the notes: what may be meant so."""
        sides: dict[Side, list[Group]] = {}
        for group in self._messages.groups("note"):
            sides.setdefault(group[0][0].side, []).append(group)
        told = []
        for side, groups in sides.items():
            checks = {group[0][0].check for group in groups}
            mine = [d for d in self._report.diagnoses if d.side == side]
            causes = [d for d in mine if d.cause in checks or not checks.isdisjoint(d.explains)][:1]
            lines = [line for d in causes for line in (d.claim, f"  seen: {d.seen}", f"  {d.advice}")]
            told.append(self._part("note", groups, lines, checks))
        return told

    def _part(self, status: str, groups: list[Group], lines: Iterable[str], explained: set[str]) -> Part:
        lead = leading(groups)
        others = [group for group in groups if group is not lead]
        mine = [group for group in others if group[0][0].check in {*explained, lead[0][0].check}]
        rest = [group for group in others if group not in mine]
        further = (("Found too", mine), ("Of another cause perhaps", rest))
        result = lead[0][0]
        return Part(
            result.op, side_title(*result.side[1:]), status, tuple(map(_line, lines)), self._told(lead),
            tuple((title, tuple(map(self._told, some))) for title, some in further if some),
        )  # fmt: skip

    def _told(self, group: Group) -> Told:
        result, finding = shown(group)
        others, agreeing = self._messages.beside(group)
        also = [f"also in {', '.join(others)}"] if others else []
        also += [f"{' and '.join(TITLES.get(r, r) for r in agreeing)} agrees there"] if agreeing else []
        place, id_ = place_of(result, finding), self._ids.new(*_named(result, finding))
        line, lines = number_of(place), self._report.sources.get(place, ())
        self.links.setdefault(result.side, id_)
        against = sentences.truth(finding.fields) if finding.fields.get("truth") else "what is wanted"
        return Told(
            id_, result.check, result.dtype, finding.what, "" if finding.kind == "fault" else finding.kind,
            tuple(also), finding.details, tuple(_numbers(finding)), _off(finding),
            place, line, tuple(enumerate(lines, max(1, line - 1))),
            plot(finding.worst) if finding.worst else "", (TITLES.get(result.runner, result.runner), against),
            finding.worst is not None and finding.worst.around is None, result.again,
        )  # fmt: skip


def _key(group: Group) -> tuple[Any, ...]:
    result, finding = group[0]
    return (*result.side, result.check, finding.key)


def _line(text: str) -> Line:
    label, colon, rest = text.strip().partition(": ")
    below = text.startswith("  ")
    return Line(label, rest, below) if colon and len(label) <= _LABEL else Line("", text.strip(), below)


def _named(result: Result, finding: Finding) -> tuple[str, ...]:
    """Return what names a finding in each run that finds it: its key, without long texts."""
    op, runner, device, mode = result.side
    place = [runner, *([device] * (device != "cpu")), *([mode] * (mode != "eager"))]
    key = [str(part) for part in finding.key if part is not None and 0 < len(str(part)) <= _LONG]
    return (op, result.check, *place, *key)


def _numbers(finding: Finding) -> Iterator[tuple[str, str]]:
    """Yield what the worst element is, what it should be, and what stands in the inputs there."""
    worst = finding.worst
    if worst is None:
        return
    got, want = sentences.apart(worst.got, worst.want, 9)
    yield worst.label, got
    yield sentences.wanted(finding.fields), want
    yield from ((name, f"{x:.8g}") for name, x in worst.at.items())


def _off(finding: Finding) -> str:
    """Return how far off, and how many elements are."""
    worst = finding.worst
    if worst is None:
        return ""
    if isfinite(worst.ulp):
        off = f"{worst.ulp:.4g} ulp off, {worst.allowed:.4g} allowed"
    elif isfinite(worst.got) and isfinite(worst.want):
        off = f"{worst.ratio:.4g} times what is allowed"
    else:
        off = "not finite"
    return f"{off}; {finding.bad} of {finding.total} elements"
