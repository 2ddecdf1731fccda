"""All results of a run, with what was not compared and why; as JSON both ways."""

import json
from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Self

from porting.dtypes import FLOATS
from porting.parity.codes import NUMBERS
from porting.parity.finding import Diagnosis, Finding, Result, Side, Worst

SCHEMA: Final = 3
_BEFORE: Final = 2  # whose findings have no code
EXIT_AGREE, EXIT_DIFFER, EXIT_USAGE, EXIT_INTERNAL, EXIT_NOTHING, EXIT_INTERRUPTED = 0, 1, 2, 3, 5, 130


_LEADING: Final = ("vjp", "value", "raw_gradient", "large", "adjoint")  # what says most, first


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
    """

    results: tuple[Result, ...]
    missing: dict[str, str] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    interrupted: bool = False
    diagnoses: tuple[Diagnosis, ...] = ()
    described: tuple[str, ...] = ()

    @property
    def counts(self) -> Counter[str]:
        """How many results have each status."""
        return Counter(result.status for result in self.results)

    @property
    def twins_compared(self) -> bool:
        """Whether any result compared a framework with the oracle, or the user asked for the oracle alone."""
        judged = [r for r in self.results if r.status in {"agree", "waived", "known", "differ"} and r.compared]
        return any(r.runner != "oracle" for r in judged) or (bool(judged) and not self.missing)

    @property
    def exit_code(self) -> int:
        """0 agree, 1 differ, 5 nothing compared, 130 interrupted."""
        if self.interrupted:
            return EXIT_INTERRUPTED
        if self.counts["differ"] or self.problems:
            return EXIT_DIFFER
        return EXIT_AGREE if self.twins_compared else EXIT_NOTHING

    @property
    def messages(self) -> list[str]:
        """One message per side that differs: its first finding, the likely cause and fix, and what else was found."""
        sides: dict[Side, list[list[tuple[Result, Finding]]]] = {}
        for group in self._groups():
            sides.setdefault(group[0][0].side, []).append(group)
        return [self._headline(groups) for groups in sides.values()]

    @property
    def all_messages(self) -> list[str]:
        """Every finding of what differs, once: in the widest type that shows it, with the other types named."""
        return [self._message(group) for group in self._groups()]

    def causes(self, result: Result) -> list[Diagnosis]:
        """Return the likely causes on the side of a result, the likeliest first."""
        mine = [d for d in self.diagnoses if d.side == result.side]
        return list({d.cause: d for d in reversed(mine)}.values())[::-1]

    def _groups(self) -> list[list[tuple[Result, Finding]]]:
        groups: dict[tuple[Any, ...], list[tuple[Result, Finding]]] = {}
        for result in self.results:
            if result.status == "differ":
                for finding in result.findings:
                    groups.setdefault((*result.side, result.check, finding.key), []).append((result, finding))
        return list(groups.values())

    def _headline(self, groups: list[list[tuple[Result, Finding]]]) -> str:
        lead = min(groups, key=lambda group: _LEADING.index(group[0][0].check) if group[0][0].check in _LEADING else 9)
        causes = self.causes(lead[0][0])
        more = []
        if causes:
            first = causes[0]
            more += [f"Likely cause: {first.title} ({first.cause}, {first.kind})", f"  seen: {first.seen}"]
            more += [f"  fix: {line}" for line in first.fix.splitlines()]
            more += [f"  or: {', '.join(c.cause for c in causes[1:4])}"] if causes[1:] else []
        others = dict.fromkeys(group[0][0].check for group in groups if group[0][0].check != lead[0][0].check)
        more += [f"found by {', '.join(others)} too"] if others else []
        return self._message(lead, *more)

    def _message(self, group: list[tuple[Result, Finding]], *more: str) -> str:
        result, finding = max(group, key=lambda pair: FLOATS.index(pair[0].dtype))
        others = [other.dtype for other, _ in group if other is not result]
        same = (result.op, result.check, result.dtype, result.device, "agree")
        agreeing = [r.runner for r in self.results if (r.op, r.check, r.dtype, r.device, r.status) == same]
        agreeing = [runner for runner in dict.fromkeys(agreeing) if runner != "oracle"]
        lines = [f"also in {', '.join(dict.fromkeys(others))}"] if others else []
        lines += [f"{' and '.join(agreeing)} agrees there."] if agreeing else []
        return result.message(finding, *lines, *more)

    @property
    def summary(self) -> str:
        """One line of sums."""
        counts, results = self.counts, self.results
        parts = [f"{counts['agree']} agree"]
        parts += [f"{counts[s]} {s}" for s in ("waived", "known", "no verdict") if counts[s]]
        parts.append(f"{counts['differ']} differ")
        ops, done = len({r.op for r in results}), len(results) - counts["not applicable"]
        line = f"{ops} op{'s' * (ops != 1)}, {done} check{'s' * (done != 1)}: {', '.join(parts)}"
        line += f"; {sum(r.compared for r in results):,} comparisons"
        passed = [r.largest for r in results if r.status in {"agree", "waived"}]
        if passed:
            line += f", largest accepted error {max(passed):.2f} of its tolerance"
        return f"interrupted: {line}" if self.interrupted else line

    def __str__(self) -> str:
        """Every finding, dead known differences, what was not compared, the sums."""
        missing = [f"not compared: {name}: {reason}" for name, reason in self.missing.items()]
        return "\n".join([*self.messages, *self.problems, *missing, self.summary])

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
        if not isinstance(content, dict) or content.get("schema") not in {SCHEMA, _BEFORE}:
            raise ValueError(f"not a porting report of schema {SCHEMA} or {_BEFORE}")
        try:
            return cls(
                tuple(_result(r) for r in content["results"]),
                content["missing"],
                content["environment"],
                tuple(content["problems"]),
                content["interrupted"],
                tuple(Diagnosis(**d) for d in content["diagnoses"]),
                tuple(content["described"]),
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"not a porting report: {error!r}") from error


def _result(raw: dict[str, Any]) -> Result:
    return Result(**{**raw, "findings": tuple(_finding(f) for f in raw["findings"]), "largest": float(raw["largest"])})


def _finding(raw: dict[str, Any]) -> Finding:
    worst = raw["worst"]
    if worst is not None:
        numbers = {name: float(worst[name]) for name in ("got", "want", "ulp", "allowed", "ratio")}
        at = {name: float(x) for name, x in worst["at"].items()}
        worst = Worst(name=worst["name"], place=tuple(worst["place"]), at=at, **numbers)
    rest = raw["kind"], worst, raw["bad"], raw["total"]
    if "code" not in raw:  # of the schema before
        return Finding("told", {"what": raw["what"], "details": tuple(raw["details"])}, *rest)
    return Finding(raw["code"], {name: _field(name, value) for name, value in raw["fields"].items()}, *rest)


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
