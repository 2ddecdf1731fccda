"""Some places only."""

from typing import Final

import numpy as np

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.experiments import few_digits, finite, shape_of

_AGAIN: Final = 3  # other numbers: the places stay
_MANY: Final = 100  # elements: of so many a tenth is a few, of less a half, as of a tail of three in seven
_FEW: Final = 0.1


def _are_few(wrong: int, total: int) -> bool:
    return wrong < total * (_FEW if total >= _MANY else 0.5)


@cause(
    rank=45,
)
def few_elements(e: Evidence) -> str | None:
    """A few elements of the gradient are wrong, always at the same places.

    Random projections of a gradient, which fast checkers compare, do not see one element among thousands.
    """
    if e.example is None:
        found = e.finding("large") if e.raised is None else None
        told = found is not None and found.fields.get("quantity") == "gradient" and not few_digits(found)
        return found.seen if found and told and _are_few(found.bad, found.total) else None
    example = e.example
    if not all(finite(g) for g in example.got.values()):
        return None
    probe, shape = e.probe(e.dtype), shape_of(example.case)
    again = [e.first_wrong([probe.case(f"again {n}", shape=shape)]) for n in range(_AGAIN)]
    for name, mask in example.wrong.items():
        told = int(np.count_nonzero(example.want[name]))  # a zero beside a zero is right of itself
        if not _are_few(int(mask.sum()), told):
            return None
        masks = [found.wrong.get(name) if found else None for found in again]
        if any(m is None or m.shape != mask.shape or (m != mask).any() for m in masks):
            return None
    places = [f"d{n}{[int(i) for i in np.argwhere(mask)[0]]}" for n, mask in example.wrong.items()]
    return f"{int(sum(m.sum() for m in example.wrong.values()))} wrong, first {', '.join(places)}: {example.worst}"
