"""What has changed between two reports: findings that are new or gone, verdicts, the largest errors, versions."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from porting.parity.finding import Finding, Result
from porting.parity.report import Report

Found: TypeAlias = tuple[Result, Finding]

_LISTED: Final = 20  # of each sort
_GREW: Final = 0.05  # of the tolerance: by less, other rounding


@dataclass(frozen=True)
class Since:
    """What is otherwise than in an earlier run.

    Attributes
    ----------
    new, gone : tuple of (Result, Finding)
        What is found now and was not, and what was found and is not; of checks that both runs made.
    verdicts : tuple of (Result, Result)
        Then and now: the same check has another status, and this is not said by its findings.
    errors : tuple of (Result, Result)
        Then and now: both agree, and the largest error changed by more than rounding; the one that grew most first.
    versions : tuple of str
        ``torch 2.12.0 → 2.13.0``.
    only_then, only_now : int
        How many checks one of the runs did not make.
    both : int
        How many checks both made.
    largest : tuple of two float
        The largest accepted error then and now, of checks that both made.
    """

    new: tuple[Found, ...]
    gone: tuple[Found, ...]
    verdicts: tuple[tuple[Result, Result], ...]
    errors: tuple[tuple[Result, Result], ...]
    versions: tuple[str, ...]
    only_then: int
    only_now: int
    both: int
    largest: tuple[float, float]

    @property
    def nothing(self) -> bool:
        """Whether there is nothing to tell."""
        return not (self.new or self.gone or self.verdicts or self.errors or self.only_then or self.only_now)


def since(before: Report, now: Report) -> Since:
    """Compare two reports, check by check.

    Parameters
    ----------
    before, now : Report
        The earlier one and the later one; they may be of other ops, seeds and versions.
    """
    then, here = _made(before, _by_place(now)), _made(now, _by_place(before))
    both = [(then[place], result) for place, result in here.items() if place in then]
    told = [(_told(a), _told(b)) for a, b in both]
    new = [(b, f) for (_, b), (old, own) in zip(both, told, strict=True) for key, f in own.items() if key not in old]
    gone = [(a, f) for (a, _), (old, own) in zip(both, told, strict=True) for key, f in old.items() if key not in own]
    quiet = [(a, b) for (a, b), (old, own) in zip(both, told, strict=True) if set(old) == set(own)]
    agreed = [(a, b) for a, b in quiet if a.status in {"agree", "waived"} and a.status == b.status]
    changed = [(a, b) for a, b in agreed if abs(b.largest - a.largest) > _GREW]
    return Since(
        tuple(new),
        tuple(gone),
        tuple((a, b) for a, b in quiet if a.status != b.status),
        tuple(sorted(changed, key=lambda pair: pair[0].largest - pair[1].largest)),
        tuple(_versions(before.environment, now.environment)),
        len(then) - len(both),
        len(here) - len(both),
        len(both),
        (max((a.largest for a, _ in agreed), default=0.0), max((b.largest for _, b in agreed), default=0.0)),
    )


def lines(found: Since, title: str) -> Iterator[str]:
    """Yield what has changed, for people, under a line that names the earlier run."""
    yield f"Since {title}"
    yield from (f"  {version}" for version in found.versions)
    for name, some in (("new", found.new), ("gone", found.gone)):
        yield from _some(name, [f"{r.head}{r.check}: {f.seen}" for r, f in some])
    yield from _some("verdict", [f"{b.head}{b.check}: {a.status} → {b.status}" for a, b in found.verdicts])
    yield from _some(
        "largest error", [f"{b.head}{b.check}: {a.largest:.2f} → {b.largest:.2f}" for a, b in found.errors]
    )
    if found.only_then or found.only_now:
        yield f"  not compared: {found.only_then} checks were made only then, {found.only_now} only now"
    what = "nothing has changed" if found.nothing else f"{len(found.new)} new, {len(found.gone)} gone"
    yield (
        f"  {what} in {found.both} checks; largest accepted error {found.largest[1]:.2f} of its tolerance, "
        f"then {found.largest[0]:.2f}"
    )


def _by_place(report: Report) -> dict[tuple[str, ...], Result]:
    return {(r.op, r.check, r.runner, r.device, r.mode, r.dtype): r for r in report.results}


def _made(report: Report, other: dict[tuple[str, ...], Result]) -> dict[tuple[str, ...], Result]:
    """Return the checks of a report, without those that do not apply and that the other one does not have."""
    return {p: r for p, r in _by_place(report).items() if p in other or r.status != "not applicable"}


def _told(result: Result) -> dict[Any, Finding]:
    """Return what a result tells, by what two findings that say the same have in common."""
    return {(result.status, finding.key): finding for finding in result.findings}


def _versions(then: dict[str, str], now: dict[str, str]) -> Iterator[str]:
    for name in dict.fromkeys((*then, *now)):
        if then.get(name) != now.get(name):
            yield f"{name} {then.get(name, '-')} → {now.get(name, '-')}"


def _some(name: str, found: list[str]) -> Iterator[str]:
    yield from (f"  {name}: {line}" for line in found[:_LISTED])
    if len(found) > _LISTED:
        yield f"  {name}: … and {len(found) - _LISTED} more"
