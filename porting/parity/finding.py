"""What the checks say: `Finding`, one broken promise; `Result`, one check on one runner; `Report`, all of a run."""

import json
from collections import Counter
from dataclasses import asdict, dataclass, field, replace
from math import isfinite
from typing import Any, Final, Self

STATUSES: Final = ("agree", "waived", "known", "differ", "no verdict", "not applicable")
KINDS: Final = ("fault", "portability", "kink convention", "precision", "framework fault", "no verdict")
SCHEMA: Final = 1

EXIT_AGREE, EXIT_DIFFER, EXIT_USAGE, EXIT_INTERNAL, EXIT_NOTHING, EXIT_INTERRUPTED = 0, 1, 2, 3, 5, 130


@dataclass(frozen=True)
class Worst:
    """The element that is furthest off.

    `name` is what was compared (``y``, ``dx``), `at` the inputs and cotangents at that element where they have its shape,
    `ulp` and `allowed` the error and the tolerance in units in the last place.
    """

    name: str
    place: tuple[int, ...]
    got: float
    want: float
    at: dict[str, float]
    ulp: float
    allowed: float
    ratio: float

    @property
    def label(self) -> str:
        """``dx[3,17]``."""
        return f"{self.name}[{','.join(map(str, self.place))}]" if self.place else self.name

    def __str__(self) -> str:
        """``dx[3,17] = 0.99975586, should be 1   x = 88.73, dy = 1   (4096 ulp, 16 allowed)``."""
        at = ", ".join(f"{name} = {x:.8g}" for name, x in self.at.items())
        off = f"({self.ulp:.4g} ulp, {self.allowed:.4g} allowed)" if isfinite(self.ulp) else "(not finite)"
        return f"{self.label} = {self.got:.9g}, should be {self.want:.9g}   {at}   {off}"


@dataclass(frozen=True)
class Finding:
    """One broken promise.

    Attributes
    ----------
    what : str
        One line: ``gradient of x differs from the oracle``.
    kind : str
        One of `KINDS`.
    worst : Worst, optional
        The worst element, when numbers were compared; `bad` of `total` elements differ.
    details : tuple of str
        Further lines.
    """

    what: str
    kind: str = "fault"
    worst: Worst | None = None
    bad: int = 0
    total: int = 0
    details: tuple[str, ...] = ()

    def __str__(self) -> str:
        """The finding on its own: what, how far off, further lines."""
        kind = "" if self.kind == "fault" else f"  ({self.kind})"
        worst = [f"worst: {self.worst}; {self.bad} of {self.total} elements"] if self.worst else []
        return "\n  ".join([self.what + kind, *worst, *self.details])

    def merged(self, other: Self) -> Self:
        """Return one finding for two that say the same, with the worse element and both counts."""
        mine = self.worst.ratio if self.worst else 0.0
        theirs = other.worst.ratio if other.worst else 0.0
        keep = other if theirs > mine else self
        return replace(keep, bad=self.bad + other.bad, total=self.total + other.total)


@dataclass(frozen=True)
class Result:
    """One check of one op on one runner, device, mode and dtype.

    Attributes
    ----------
    status : str
        One of `STATUSES`. ``waived``: the contract waives the claim, and the waiver holds. ``known``: it differs, as an
        accepted difference says. ``no verdict``: nothing could be decided; never counted as a pass.
    note : str
        Why it is waived, known, undecided or not applicable.
    compared, excused : int
        How many elements and facts were compared, and how many elements were not judged (overflow, kinks that the type
        cannot represent).
    largest : float
        The largest error seen, in units of the tolerance.
    where : str
        ``file:line`` of the implementation.
    """

    op: str
    check: str
    runner: str
    device: str
    mode: str
    dtype: str
    seed: int
    status: str
    note: str = ""
    findings: tuple[Finding, ...] = ()
    compared: int = 0
    excused: int = 0
    largest: float = 0.0
    where: str = ""

    def __str__(self) -> str:
        """Every finding in the one message form; one line if there is none."""
        mode = "" if self.mode == "eager" else f" {self.mode}"
        head = f"{self.op}  {self.runner} {self.device}{mode} {self.dtype} · "
        if not self.findings:
            return f"{head}{self.check}: {self.status}{f' ({self.note})' if self.note else ''}"
        foot = f"\n  {self.where}        again: {self.again}"
        return "\n".join(f"{head}{finding}{foot}" for finding in self.findings)

    @property
    def again(self) -> str:
        """The command that repeats this check."""
        mode = "" if self.mode == "eager" else f" --mode {self.mode}"
        device = "" if self.device == "cpu" else f" --device {self.device}"
        return (
            f"porting check {self.op} --runner {self.runner} --dtype {self.dtype}{mode}{device}"
            f" -k {self.check} --seed {self.seed}"
        )


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
    """

    results: tuple[Result, ...]
    missing: dict[str, str] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    interrupted: bool = False

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

    def agreeing(self, result: Result) -> list[str]:
        """Return the other frameworks that pass the same check in the same dtype."""
        same = (result.op, result.check, result.dtype, result.device)
        others = [r.runner for r in self.results if (r.op, r.check, r.dtype, r.device) == same and r.status == "agree"]
        return [runner for runner in dict.fromkeys(others) if runner not in {result.runner, "oracle"}]

    @property
    def summary(self) -> str:
        """One line of sums."""
        counts, results = self.counts, self.results
        parts = [f"{counts['agree']} agree"]
        parts += [f"{counts[s]} {s}" for s in ("waived", "known", "no verdict") if counts[s]]
        parts.append(f"{counts['differ']} differ")
        largest = max((r.largest for r in results if r.status in {"agree", "waived"}), default=0.0)
        ops = len({r.op for r in results})
        line = (
            f"{ops} op{'s' * (ops != 1)}, {len(results) - counts['not applicable']} checks: {', '.join(parts)}; "
            f"{sum(r.compared for r in results):,} comparisons, largest error {largest:.2f} of its tolerance"
        )
        return f"interrupted: {line}" if self.interrupted else line

    def __str__(self) -> str:
        """Every result that differs, dead known differences, what was not compared, the sums."""
        differ = [str(result) for result in self.results if result.status == "differ"]
        missing = [f"not compared: {name}: {reason}" for name, reason in self.missing.items()]
        return "\n".join([*differ, *self.problems, *missing, self.summary])

    def to_json(self) -> str:
        """Return the report as JSON text; NaN and infinities are written as strings."""
        content = {"schema": SCHEMA, **asdict(self), "exit_code": self.exit_code}
        return json.dumps(_plain(content), indent=1, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read a report back.

        Raises
        ------
        ValueError
            If the text is not JSON, or not a report of this schema.
        """
        content = json.loads(text)
        if not isinstance(content, dict) or content.get("schema") != SCHEMA:
            raise ValueError(f"not a porting report of schema {SCHEMA}")
        results = tuple(_result(r) for r in content["results"])
        return cls(
            results,
            content["missing"],
            content["environment"],
            tuple(content["problems"]),
            content["interrupted"],
        )


def _result(raw: dict[str, Any]) -> Result:
    return Result(**{**raw, "findings": tuple(_finding(f) for f in raw["findings"]), "largest": float(raw["largest"])})


def _finding(raw: dict[str, Any]) -> Finding:
    worst = raw["worst"]
    if worst is not None:
        numbers = {name: float(worst[name]) for name in ("got", "want", "ulp", "allowed", "ratio")}
        at = {name: float(x) for name, x in worst["at"].items()}
        worst = Worst(name=worst["name"], place=tuple(worst["place"]), at=at, **numbers)
    return Finding(**{**raw, "worst": worst, "details": tuple(raw["details"])})


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
