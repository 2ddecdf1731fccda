"""What is taken back of what one side of two is accused of: the side that it is compared with explains it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from porting.backends import TITLES
from porting.pairs.pair import Pair
from porting.parity.finding import Finding, Result
from porting.parity.free_signs import hanging_on_signs
from porting.parity.shared_second import of_its_own, shared_in_part
from porting.parity.sides import (
    ALONE,
    COMPARED,
    DERIVATIVE,
    EVERYDAY,
    NARROW,
    REPEATED,
    SECOND,
    Results,
    breaks,
    draws_values,
    is_typed,
    is_within,
)

_FIRST: Final = "it is compared with differences of the other side's gradient, which is another one already"

_DRAWN: Final = "its gradient draws random numbers, which `repeated` looks at"
_OTHER: Final = "it is compared with the other side, whose everyday numbers are others already"
_RANGE: Final = "whole_range"


def taken_back(result: Result, sides: Mapping[str, Results]) -> Result | None:
    """Take back what compares a side with random numbers, with vectors whose signs are free, …; else nothing."""
    random = _random(result, sides) if result.check != DERIVATIVE else None
    if random:
        return random
    taken, why = shared_in_part(result)
    if not taken:
        taken, why = hanging_on_signs(result, sides, alone=result.check in ALONE)
    if not taken and breaks(sides[result.runner], REPEATED):  # two calls were compared
        taken, why = [f for f in result.findings if f.code == "raw_differs"], _DRAWN
    if not taken:
        taken, why = _of_another_function(result, sides[result.runner]), _OTHER
    if not taken:
        another, (own, of_own) = _of_another_gradient(result, sides[result.runner]), of_its_own(result)
        taken, why = [*another, *own], _FIRST if another else of_own
    return without(result, taken, why) if taken else None


def _of_another_gradient(result: Result, mine: Results) -> list[Finding]:
    """Return what compares a second derivative with the other side's first one, where these differ, or raise."""
    first = [r.status for r in mine if (r.check, r.dtype) == ("vjp", result.dtype)]
    if result.check != SECOND or not first or "agree" in first:
        return []
    return [f for f in result.findings if f.code == "differs" and f.fields.get("truth") in TITLES.values()]


def _of_another_function(result: Result, mine: Results) -> list[Finding]:
    """Return what is not finite where the other side has a number, if everyday numbers are others there too."""
    if result.check != _RANGE:
        return []
    apart = {
        f.fields["quantity"]
        for r in mine
        if r.check in EVERYDAY and r.dtype == result.dtype and r.status == "differ"
        for f in r.findings
        if f.code == "differs"
    }
    return [f for f in result.findings if f.code == "not_finite" and f.fields["quantity"] in apart]


def _random(result: Result, sides: Mapping[str, Results]) -> Result | None:
    """Take back what compares a side that gives another result each time, with whatever; nothing if none does."""
    drawing = [key for key, side in sides.items() if breaks(side, REPEATED)]
    of_values = any(draws_values(sides[key]) for key in drawing)
    compared = [f for f in result.findings if f.code in COMPARED and (of_values or not f.has(quantity="value"))]
    if result.check == REPEATED or not (drawing and compared):
        return None
    others = [key for key in drawing if key != result.runner]
    who = f"the {others[0]} side, which it is compared with, gives" if others else "it gives"
    return without(result, compared, f"{who} another result each time")


def without_digits(result: Result, pair: Pair, sides: Mapping[str, Results]) -> Result:
    """Take back what the measure itself explains: it has the digits of float32 in float64, and the side has all."""
    mine, theirs = sides[result.runner], sides.get(pair.reference or "", ())
    everyday = [f for r in mine if r.check in EVERYDAY and r.status == "differ" for f in r.findings]
    narrow = is_typed(theirs) or any(finding.lacks_digits("want") for finding in everyday)
    if result.dtype != "float64" or not narrow:
        return result
    compared = [f for f in result.findings if f.code in COMPARED and (f.lacks_digits("want") or is_within(f, NARROW))]
    if not compared:
        return result
    why = f"{compared[0].fields.get('truth') or pair.reference}, which it is compared with, computes in float32"
    return without(result, compared, why)


def without(result: Result, taken: Sequence[Finding], why: str) -> Result:
    """Return a result without findings that are taken back; no verdict where nothing is left."""
    rest = tuple(finding for finding in result.findings if finding not in taken)
    return replace(result, status="differ" if rest else "no verdict", note=why, findings=rest)
