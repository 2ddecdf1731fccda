"""Second derivatives that both sides of a pair have: they are told once, and accuse neither."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from porting.parity.finding import Finding, Result
from porting.parity.sides import DERIVATIVE, SECOND, Results, differs

_SAME: Final = 1e-6  # of the numbers that two sides found to be off
_MARKED: Final = ("differs", "detached")
_ALIKE: Final = "the other side has the same second derivative"
_OWN: Final = "its second derivative is that of its own gradient; the other side's gradient is another one beside these"


def is_shared(finding: Finding) -> bool:
    """Whether the check saw the same on the other side."""
    return bool(finding.fields.get("alike"))


def shared_in_part(result: Result) -> tuple[list[Finding], str]:
    """Return the findings that both sides share, beside others that one has alone, and what to say of them."""
    shared = [finding for finding in result.findings if is_shared(finding)] if result.check == SECOND else []
    return (shared if len(shared) < len(result.findings) else []), _ALIKE


def of_its_own(result: Result) -> tuple[list[Finding], str]:
    """Return the findings of a side that differentiates its own gradient rightly, and what to say of them."""
    return [f for f in result.findings if f.code in _MARKED and f.fields.get("own")], f"{_OWN} inputs"


def marked(result: Result, sides: Mapping[str, Results]) -> tuple[Finding, ...]:
    """Return findings, those of a second derivative that the others have too marked so: no side is accused of it."""
    if result.check != SECOND:
        return result.findings
    every = [f for side in sides.values() for r in side if r.check == SECOND for f in r.findings]
    alike = {_by(f) for f in every if is_shared(f)}  # a reference, its own truth, is not asked for what it shares
    same = second_as_the_others(result, sides, raising=False)
    return tuple(
        replace(f, fields={**f.fields, "alike": True}) if f.code in _MARKED and (same or _by(f) in alike) else f
        for f in result.findings
    )


def second_as_the_others(result: Result, sides: Mapping[str, Results], *, raising: bool = True) -> bool:
    """Whether all sides have the same second derivative, of something with a surrogate inside.

    A side that raises has none: with `raising` it accuses nobody, but then it is not said that both have the same.

    Differentiated again, it takes the surrogate once more, as it is meant to: that is not the derivative of the first
    gradient, which steps where the surrogate does not. What a side had no time for is not held against another one.
    """
    others = [side for key, side in sides.items() if key != result.runner]
    detached = all(finding.code == "detached" for finding in result.findings)  # from the same: a port of it is so too
    if not others or not (detached or all(differs(side, DERIVATIVE) for side in sides.values())):
        return False
    theirs = [[r for r in side if (r.check, r.dtype) == (SECOND, result.dtype)] for side in others]
    found = [[f for r in of for f in r.findings] for of in theirs if not any(r.cut for r in of)]
    return all(any(_alike(mine, one, raising=raising) for one in of) for of in found for mine in result.findings)


def _alike(one: Finding, other: Finding, *, raising: bool) -> bool:
    """Whether two findings are of the same thing, and off by the same; what the other side cannot tell may be."""
    a, b = one.worst, other.worst
    if one.code == "differs" and other.code == "raised":
        return raising
    if a is None and b is None:
        return one.key == other.key  # both detached
    if a is None or b is None or (one.code, one.fields.get("name")) != (other.code, other.fields.get("name")):
        return False
    near = _SAME * max(abs(a.got), abs(a.want))
    if a.place != b.place and one.bad == other.bad:  # of several elements that are off by the same, any is the worst
        return abs(abs(a.got - a.want) - abs(b.got - b.want)) <= near
    return abs(a.got - b.got) <= near and abs(a.want - b.want) <= near


def _by(finding: Finding) -> Any:
    return finding.fields.get("name") or finding.fields.get("by")
