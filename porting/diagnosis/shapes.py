"""Where checks found a gradient of another shape than its input, and where wrong numbers beside it."""

from dataclasses import replace
from itertools import combinations
from typing import Final

from porting.diagnosis.evidence import Evidence, exception
from porting.diagnosis.example import Array, alike

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


def exchanged_by_shape(e: Evidence) -> tuple[str, str] | None:
    """Return two inputs of which each has got the other's gradient, where their shapes tell.

    A parameter may be laid out otherwise than the other side's: its gradient is right turned round too. In a graph
    TensorFlow hands captured variables over in another order than eagerly.
    """
    graph = not e.misshapen and e.finding("traced", "shape_differs", quantity="gradient") is not None
    asked = [replace(case, mode="function") if graph else case for case in e.ordinary]
    for case in asked if graph or e.misshapen else ():
        got, want = e.ask(case), e.truth(case)
        if got is None or want is None:
            continue
        for name, other in combinations(e.op.wrt, 2):
            if got[name].shape == want[name].shape or got[other].shape == want[other].shape:
                continue
            if all(_laid_out(got[a], want[b]) for a, b in ((name, other), (other, name))):
                return name, other
    return None


def _laid_out(got: Array, want: Array) -> bool:
    """Whether a gradient is another one, as it is or turned round."""
    return alike({"": got}, {"": want}) or alike({"": got.T}, {"": want})
