"""What is known of a side of a pair from its results."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final, TypeAlias

import numpy as np

from porting.backends import BACKENDS
from porting.dtypes import FLOATS
from porting.parity.finding import Finding, Result

# Of one side, run eagerly on the processor: what differs elsewhere alone is its own.
Results: TypeAlias = Sequence[Result]
# That of the forward's derivative: a surrogate never keeps it, so it counts only where the pair says what it is.
DERIVATIVE: Final = "adjoint"
SECOND: Final = "second_order"
_SAME: Final = 1e-6  # of the numbers that two sides found to be off


def has(side: Results, check: str, status: str, dtypes: Collection[str] = FLOATS) -> bool:
    """Whether a check has this status in one of these types."""
    return any((r.check, r.status) == (check, status) and r.dtype in dtypes for r in side)


def differs(side: Results, check: str) -> bool:
    """Whether a check has findings."""
    return has(side, check, "differ")


def breaks(side: Results, law: str) -> bool:
    """Whether a side breaks a law; what the sign of the cotangent masks is meant so, and who raises breaks none."""
    mine = [f for r in side if (r.check, r.status) == (law, "differ") for f in r.findings]
    return differs(side, law) and not (mine and all(f.fields.get("masked") or f.code == "raised" for f in mine))


def overflows(result: Result) -> bool:
    """Whether all that is found is NaN or infinity where an ordinary number is wanted."""
    worst = [finding.worst for finding in result.findings]
    return bool(worst) and all(w is not None and np.isfinite(w.want) > np.isfinite(w.got) for w in worst)


def overflow_together(result: Result, sides: Mapping[str, Results]) -> bool:
    """Whether the other sides overflow in the same check and type as this one does."""
    if all(finding.fields.get("shared") for finding in result.findings):
        return True
    same = [[r for r in side if (r.check, r.dtype) == (result.check, result.dtype)] for side in sides.values()]
    return all(any(map(overflows, side)) for side in same)


def is_of_type(result: Result, finding: Finding) -> bool:
    """Whether a finding is of a type alone: another one, its digits, or that it does not meet the one beside it."""
    f, backend = finding.fields, BACKENDS.get(result.runner)
    if finding.code == "raised" and backend:
        return backend.says_types(f"{f['type']}: {f['message']}")
    cast = finding.code == "raw_repaired" and f["got_dtype"] != f["want_dtype"] and f["got_shape"] == f["want_shape"]
    return cast or finding.code == "dtype_differs" or (finding.code == "differs" and finding.has(single="got"))


def is_within(finding: Finding, share: float) -> bool:
    """Whether the worst element is off by less than a share of what it should be."""
    worst = finding.worst
    return worst is not None and abs(worst.got - worst.want) <= share * abs(worst.want)


def second_as_the_others(result: Result, sides: Mapping[str, Results]) -> bool:
    """Whether all sides have the same second derivative, of something with a surrogate inside.

    Differentiated again, it takes the surrogate once more, as it is meant to: that is not the derivative of the first
    gradient, which steps where the surrogate does not. What a side had no time for is not held against another one.
    """
    others = [side for key, side in sides.items() if key != result.runner]
    detached = all(finding.code == "detached" for finding in result.findings)  # from the same: a port of it is so too
    if not others or not (detached or all(differs(side, DERIVATIVE) for side in sides.values())):
        return False
    theirs = [[r for r in side if (r.check, r.dtype) == (SECOND, result.dtype)] for side in others]
    found = [[f for r in of for f in r.findings] for of in theirs if not any(r.cut for r in of)]
    return all(any(_alike(mine, one) for one in of) for of in found for mine in result.findings)


def _alike(one: Finding, other: Finding) -> bool:
    """Whether two findings are of the same thing, and off by the same; what the other side cannot tell may be."""
    a, b = one.worst, other.worst
    if one.code == "differs" and other.code == "raised":
        return True
    if a is None and b is None:
        return one.key == other.key  # both detached
    if a is None or b is None or (one.code, one.fields.get("name")) != (other.code, other.fields.get("name")):
        return False
    near = _SAME * max(abs(a.got), abs(a.want))
    if a.place != b.place and one.bad == other.bad:  # of several elements that are off by the same, any is the worst
        return abs(abs(a.got - a.want) - abs(b.got - b.want)) <= near
    return abs(a.got - b.got) <= near and abs(a.want - b.want) <= near
