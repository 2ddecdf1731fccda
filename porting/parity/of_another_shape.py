"""Wrong numbers of arrays whose gradients have the right shape: a gradient of another shape explains none of them."""

from collections.abc import Iterable, Sequence
from typing import Final

from porting.parity.finding import Diagnosis, Finding, Result

_CAUSE: Final = "wrong_shape"
_OF_SHAPES: Final = frozenset({"raw_shape", "shape_differs"})


def unexplained(diagnosis: Diagnosis, finding: Finding, results: Iterable[Result]) -> bool:
    """Whether a cause is a gradient's shape, and a number is wrong where no gradient has another shape.

    Parameters
    ----------
    diagnosis : Diagnosis
        The cause.
    finding : Finding
        What is told under it: an element of a gradient, of either side.
    results : iterable of Result
        Those of the check that found it.
    """
    if diagnosis.cause != _CAUSE or finding.code != "differs" or not (finding.worst and finding.worst.around):
        return False
    found = [f for result in results if result.side == diagnosis.side for f in result.findings]
    shapes = [_lengths(f) for f in found if f.code in _OF_SHAPES and f.has(name=finding.fields["name"])]
    return bool(shapes) and finding.worst.around.shape not in shapes


def _lengths(finding: Finding) -> tuple[int, ...]:
    shape: Sequence[int] = finding.fields["want_shape"]
    return tuple(shape)
