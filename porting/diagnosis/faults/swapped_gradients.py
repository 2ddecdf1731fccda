"""The order of the gradients."""

from itertools import combinations, permutations
from typing import Final

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.example import Arrays, Example, alike
from porting.diagnosis.shapes import exchanged_by_shape

_FEW: Final = 3  # elements: so many may be the same by chance


def _exchanged(e: Evidence) -> tuple[str, str] | None:
    for name, other in combinations(e.op.wrt, 2):
        example = e.example
        if example is None or example.got[name].shape != example.want[other].shape:
            continue
        crossed = {name: example.got[other], other: example.got[name]}
        if name not in example.wrong and other not in example.wrong:
            continue
        want = {n: example.want[n] for n in crossed}
        if alike(crossed, want) and not alike({n: example.got[n] for n in crossed}, want):
            return name, other
    return None


def _one_way(e: Evidence) -> tuple[str, str] | None:
    """Return of which two wrong gradients the first is the true one of the second, and not the other way round."""
    example = e.example
    for name, other in permutations(example.wrong, 2) if example else ():
        got, want = example.got[name] if example else None, example.want if example else {}
        if got is None or got.size <= _FEW or got.shape != want[other].shape:
            continue
        if alike({name: got}, {name: want[other]}) and not alike({name: want[name]}, {name: want[other]}):
            return name, other
    return None


def _back(e: Evidence, example: Example) -> Arrays | None:
    pair, half = _exchanged(e), _one_way(e)
    if pair is None and half is not None:
        return {**example.got, half[1]: example.got[half[0]]}
    if pair is None or example.got[pair[0]].shape != example.got[pair[1]].shape:
        return None
    return {**example.got, pair[0]: example.got[pair[1]], pair[1]: example.got[pair[0]]}


@cause(
    rank=30,
    repair=_back,
    of_gradients=True,
)
def swapped_gradients(e: Evidence) -> str | None:
    """The gradients of two inputs are exchanged.

    Their number and shapes are right, so no framework complains.
    """
    pair = exchanged_by_shape(e) or _exchanged(e)
    if pair:
        e.finding("xla", "shape_differs", quantity="gradient")  # a graph too
        return f"what comes for {pair[0]} is the gradient of {pair[1]}, and the other way round"
    half = _one_way(e)
    return (
        f"what comes for {half[0]} is the gradient of {half[1]}, what comes for {half[1]} that of neither"
        if half
        else None
    )
