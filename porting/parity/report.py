"""All results of a run, with what was not compared and why; as JSON both ways."""

import json
from collections import Counter
from dataclasses import asdict, dataclass, field, fields
from itertools import product
from typing import Any, Final, Self, TypeVar

from porting.dtypes import FLOATS
from porting.notebook import html_of
from porting.parity.codes import NUMBERS
from porting.parity.finding import STATUSES, Around, Diagnosis, Finding, Result, Worst
from porting.parity.messages import Messages

SCHEMA: Final = 3
_BEFORE: Final = 2  # whose findings have no code
_PLAIN: Final = (str, int, float, bool)
_T = TypeVar("_T", Result, Diagnosis)
EXIT_AGREE, EXIT_DIFFER, EXIT_USAGE, EXIT_INTERNAL, EXIT_NOTHING, EXIT_INTERRUPTED = 0, 1, 2, 3, 5, 130


@dataclass(frozen=True)
class Report:
    """All results of a run, with what was not compared and why.

    Attributes
    ----------
    results : tuple of Result
        In the order in which they were computed.
    missing : dict of str to str
        What was not compared: a runner or a runner's device, and the reason.
    environment : dict of str to str
        Versions.
    problems : tuple of str
        Accepted differences that are dead; each makes the run fail.
    interrupted : bool
        The run was stopped; the results are partial.
    diagnoses : tuple of Diagnosis
        The likely causes, for each side that differs the likeliest first.
    described : tuple of str
        How each pair was called, with what was read off its signature.
    pairs : tuple of str
        Names of the pairs that are not of the catalogue.
    undescribed : tuple of str
        Names of those whose inputs nobody described: they were guessed, or any shape and number was taken.
    sources : dict of str to tuple of str
        Of each ``file:line`` at which something was found, that line with the one before, if there is one, and after.
    """

    results: tuple[Result, ...]
    missing: dict[str, str] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    interrupted: bool = False
    diagnoses: tuple[Diagnosis, ...] = ()
    described: tuple[str, ...] = ()
    pairs: tuple[str, ...] = ()
    sources: dict[str, tuple[str, ...]] = field(default_factory=dict)
    undescribed: tuple[str, ...] = ()

    @property
    def counts(self) -> Counter[str]:
        """How many results have each status."""
        return Counter(result.status for result in self.results)

    @property
    def notes_title(self) -> str:
        """What notes are headed with: those for inputs that nobody described may not be true of others."""
        said = {r.op for r in self.results if r.status == "note"} - {*self.undescribed}
        return "Notes" if said else "Notes, for inputs that nobody described"

    @property
    def twins_compared(self) -> bool:
        """Whether any result compared a framework with the oracle, or the user asked for the oracle only."""
        judged = [r for r in self.results if r.status in {"agree", "waived", "known", "note", "differ"} and r.compared]
        return any(r.runner != "oracle" for r in judged) or (bool(judged) and not self.missing)

    @property
    def undecided(self) -> dict[str, str]:
        """Of which pairs value or gradient got no verdict on a side, in any type, with the reason."""
        found: dict[str, str] = {}
        # Where real numbers are refused, complex ones are asked for both.
        complex_ = {(r.op, r.runner) for r in self.results if r.check == "complex_numbers" and r.status == "agree"}
        for pair, check in product(self.pairs, ("value", "vjp")):
            mine = [r for r in self.results if (r.op, r.check) == (pair, check)]
            for runner in dict.fromkeys(r.runner for r in mine):
                notes: dict[str, str] = {}
                for r in mine:
                    if r.runner == runner:
                        notes.setdefault(r.status, r.note)  # what to say of the inputs stands in the first one
                unknown = set(notes) <= {"no verdict", "not applicable"} and "no verdict" in notes
                if unknown and (pair, runner) not in complex_:
                    found.setdefault(pair, f"{check} of the {runner} side: {notes['no verdict']}")
        return found

    @property
    def exit_code(self) -> int:
        """0 agree, 1 differ, 5 nothing compared, 130 interrupted."""
        if self.interrupted:
            return EXIT_INTERRUPTED
        if self.counts["differ"] or self.problems:
            return EXIT_DIFFER
        return EXIT_AGREE if self.twins_compared and not self.undecided else EXIT_NOTHING

    @property
    def messages(self) -> list[str]:
        """One message per side that differs: its first finding, the likely cause and fix, and what else was found."""
        return Messages(self.results, self.diagnoses).per_side()

    @property
    def all_messages(self) -> list[str]:
        """Every finding of what differs, once: in the widest type that shows it, with the other types named."""
        return Messages(self.results, self.diagnoses).every()

    def causes(self, result: Result) -> list[Diagnosis]:
        """Return the likely causes on the side of a result, the likeliest first."""
        return Messages(self.results, self.diagnoses).causes(result.side)

    @property
    def summary(self) -> str:
        """One line of sums."""
        counts, results = self.counts, self.results
        parts = [f"{counts['agree']:,} agree"]
        parts += [f"{counts[s]:,} {s}" for s in ("waived", "known", "no verdict") if counts[s]]
        parts += [f"{counts['note']} note{'s' * (counts['note'] != 1)}"] if counts["note"] else []
        parts.append(f"{counts['differ']:,} differ")
        ops, done = len({r.op for r in results}), len(results) - counts["not applicable"]
        line = f"{ops} op{'s' * (ops != 1)}, {done:,} check{'s' * (done != 1)}: {', '.join(parts)}"
        line += f"; {sum(r.compared for r in results):,} comparisons"
        passed = [r.largest for r in results if r.status in {"agree", "waived"}]
        if passed:
            line += f", largest accepted error {max(passed):.2f} of its tolerance"
        return f"interrupted: {line}" if self.interrupted else line

    def __str__(self) -> str:
        """Every finding, dead known differences, what was not compared, the sums."""
        missing = [f"not compared: {name}: {reason}" for name, reason in self.missing.items()]
        return "\n".join([*self.messages, *self.problems, *missing, self.summary])

    def _repr_html_(self) -> str | None:
        """Return what a notebook shows."""
        return html_of(self)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: ARG002 - IPython's protocol
        """Write what IPython shows where there is no HTML."""
        printer.text(str(self))

    def to_json(self) -> str:
        """Return the report as JSON text; NaN and infinities are written as strings."""
        content: dict[str, Any] = {"schema": SCHEMA, **asdict(self), "exit_code": self.exit_code}
        for result, raw in zip(self.results, content["results"], strict=True):
            for finding, told in zip(result.findings, raw["findings"], strict=True):
                told |= {"what": finding.what, "details": finding.details}
        return json.dumps(_plain(content), indent=1, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read a report back.

        Raises
        ------
        ValueError
            If the text is not JSON, or not a report of this schema or the one before.
        """
        content = json.loads(text)
        schema = content.get("schema") if isinstance(content, dict) else None
        if schema not in (SCHEMA, _BEFORE):
            newer = isinstance(schema, int) and schema > SCHEMA
            of = f" but {schema}: a newer gradport wrote it; pip install --upgrade gradport" if newer else ""
            raise ValueError(f"not a porting report of schema {SCHEMA} or {_BEFORE}{of}")
        try:
            return cls(
                tuple(_result(r) for r in content["results"]),
                dict(content["missing"]),
                dict(content["environment"]),
                tuple(content["problems"]),
                bool(content["interrupted"]),
                tuple(_diagnosis(d) for d in content["diagnoses"]),
                tuple(content["described"]),
                tuple(content.get("pairs", ())),  # which an older report lacks, and sources
                {where: tuple(lines) for where, lines in content.get("sources", {}).items()},
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"not a porting report: {error!r}") from error


def _result(raw: dict[str, Any]) -> Result:
    changed = {"findings": tuple(_finding(f) for f in raw["findings"]), "largest": float(raw["largest"])}
    result = _typed(Result(**{**raw, **changed}))
    if result.status not in STATUSES or result.dtype not in FLOATS:
        raise TypeError(f"a result of status {result.status!r} in type {result.dtype!r}")
    return result


def _diagnosis(raw: dict[str, Any]) -> Diagnosis:
    return _typed(Diagnosis(**{**raw, "explains": tuple(raw.get("explains", ()))}))


def _typed(thing: _T) -> _T:
    """Return what was read if each plain field holds what it should."""
    for f in fields(thing):
        if f.type in _PLAIN and not isinstance(getattr(thing, f.name), f.type):
            raise TypeError(f"{f.name} is {getattr(thing, f.name)!r}")
    return thing


def _finding(raw: dict[str, Any]) -> Finding:
    worst = raw["worst"]
    if worst is not None:
        numbers = {name: float(worst[name]) for name in ("got", "want", "ulp", "allowed", "ratio")}
        at = {name: float(x) for name, x in worst["at"].items()}
        around = _around(worst["around"]) if worst.get("around") else None  # which an older report lacks
        worst = Worst(name=worst["name"], place=tuple(map(int, worst["place"])), at=at, around=around, **numbers)
    rest = raw["kind"], worst, raw["bad"], raw["total"]
    if "code" not in raw:  # of the schema before
        return Finding("told", {"what": raw["what"], "details": tuple(raw["details"])}, *rest)
    found = Finding(raw["code"], {name: _field(name, value) for name, value in raw["fields"].items()}, *rest)
    str(found)  # where a field is missing it has no sentence
    return found


def _around(raw: dict[str, Any]) -> Around:
    numbers = {name: tuple(map(float, raw[name])) for name in ("got", "want", "allowed")}
    if len({len(some) for some in numbers.values()}) != 1:
        raise ValueError("not a porting report: of the elements around one there are not as many numbers of each kind")
    return Around(first=int(raw["first"]), shape=tuple(map(int, raw["shape"])), **numbers)


def _field(name: str, value: Any) -> Any:
    """Return a field as a check gives it: JSON has lists for tuples, and words for what is not finite."""
    return float(value) if name in NUMBERS else tuple(value) if isinstance(value, list) else value


def _plain(thing: Any) -> Any:
    """Replace NaN and infinities, which JSON lacks, by the strings that `float` reads."""
    match thing:
        case dict():
            return {key: _plain(value) for key, value in thing.items()}
        case list() | tuple():
            return [_plain(value) for value in thing]
        case float() if thing != thing or thing in {float("inf"), float("-inf")}:  # noqa: PLR0124 - NaN
            return str(thing)
        case _:
            return thing
