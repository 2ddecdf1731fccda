"""Some places only."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.example import Array, Example
from porting.diagnosis.experiments import few_digits, finite, shape_of
from porting.runners import Case

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
    wrong, told = example.wrong, {n: np.count_nonzero(y) for n, y in example.want.items()}  # 0 beside 0 is right anyway
    if not all(_are_few(int(mask.sum()), int(told[name])) for name, mask in wrong.items()):
        return None
    if not all(_are_there(e.first_wrong([case]), wrong) for case in _again(e, example)):
        return None
    places = [f"d{n}{[int(i) for i in np.argwhere(mask)[0]]}" for n, mask in wrong.items()]
    return f"{int(sum(m.sum() for m in wrong.values()))} wrong, first {', '.join(places)}: {example.worst}"


def _again(e: Evidence, example: Example) -> Iterator[Case]:
    """Yield cases of the same shape with other numbers, and with those of a domain, whose ends come first, turned."""
    for n in range(_AGAIN):
        yield e.probe(e.dtype).case(f"again {n}", shape=shape_of(example.case))
    case, contract = example.case, e.op.contract
    ends = [n for n in e.op.wrt if isinstance(contract.domain.get(n), tuple) and n not in contract.prepare]
    if ends:
        turned = {n: np.roll(case.inputs[n].reshape(-1), 1).reshape(case.inputs[n].shape) for n in ends}
        yield replace(case, inputs={**case.inputs, **turned})


def _are_there(found: Example | None, places: Mapping[str, Array]) -> bool:
    """Whether the gradient is wrong again, in these places and in no other of these inputs."""
    masks = {name: found.wrong.get(name) if found else None for name in places}
    return all(m is not None and np.array_equal(m, places[name]) for name, m in masks.items())
