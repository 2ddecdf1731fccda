"""Where checks found a gradient of another shape than its input, and where wrong numbers beside it."""

from typing import Final

from porting.diagnosis.evidence import Evidence, exception

RAISED: Final = (
    "invalid gradient at index",
    "Incompatible shapes between op input",
)  # the engines look at what came back
_CODES: Final = frozenset({"shape_differs", "raw_shape", "raw_repaired"})


def found_in_shapes(e: Evidence) -> set[str]:
    """Return the checks that found a shape, or an engine that refuses one; without those that found wrong numbers too.

    If all of them did, all are returned.
    """
    found = {
        r.check
        for r in e.results
        if r.status == "differ"
        for f in r.findings
        if f.code in _CODES or (f.code == "raised" and any(words in exception(f) for words in RAISED))
    }
    return found.difference(*wrong_numbers(e).values()) or found


def wrong_numbers(e: Evidence) -> dict[str, set[str]]:
    """Return the inputs whose gradients have wrong numbers, each with the checks that found them."""
    found: dict[str, set[str]] = {}
    for r in e.results:
        for f in r.findings if r.status == "differ" else ():
            if f.code == "differs" and f.has(quantity="gradient"):
                found.setdefault(f.fields["name"], set()).add(r.check)
    return found
