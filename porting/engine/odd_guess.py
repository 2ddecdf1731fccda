"""Inputs that nobody described, and no side is made for: what differs for them accuses nobody."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Final

from porting.diagnosis.evidence import LEFT_BEHIND
from porting.pairs.pair import Pair
from porting.parity.finding import Diagnosis, Result

_SHAPES: Final = frozenset({"wrong_shape", "missing_reduction"})
_WHY: Final = (
    "each side has a gradient of another shape than its input for some of the guessed shapes: say others, --input"
)
_RARE: Final = frozenset({"shapes"})
# What no shape of the inputs excuses: what an op leaves behind, and the end of its process.
_WHATEVER: Final = LEFT_BEHIND | {"process_ended"}


def without_odd_guesses(
    results: Sequence[Result], causes: Iterable[Diagnosis], pairs: Iterable[Pair], guessed: Collection[str]
) -> tuple[Result, ...]:
    """Return results, without what differs where all sides have gradients of other shapes than inputs nobody described.

    If they have those for rare shapes alone, of which the check `shapes` has some, nothing else is excused.

    Parameters
    ----------
    results : sequence of Result
        Of all ops.
    causes : iterable of Diagnosis
        Of what differs.
    pairs : iterable of Pair
        Those that are not of the catalogue.
    guessed : collection of str
        The names of the pairs whose inputs were guessed; those of a pair that has none are guessed too.
    """
    seen: dict[tuple[str, str], set[str]] = {}
    for cause in causes:
        if cause.cause in _SHAPES:
            seen.setdefault((cause.op, cause.runner), set()).update(cause.explains)
    odd = {
        pair.name: {check for key in pair.compared for check in seen[pair.name, key]} == _RARE
        for pair in pairs
        if (pair.name in guessed or not pair.inputs)
        and len(pair.compared) > 1
        and {(pair.name, key) for key in pair.compared} <= {*seen}
    }
    return tuple(
        _without_numbers(r) if r.status == "differ" and r.op in odd and (not odd[r.op] or r.check in _RARE) else r
        for r in results
    )


def _without_numbers(result: Result) -> Result:
    left = tuple(finding for finding in result.findings if finding.code in _WHATEVER)
    return replace(result, findings=left) if left else replace(result, status="no verdict", note=_WHY, findings=())
