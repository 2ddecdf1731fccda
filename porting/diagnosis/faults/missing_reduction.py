"""The sum over broadcast axes."""

from typing import Final

import numpy as np

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.example import alike, size
from porting.diagnosis.shapes import found_in_shapes, wrong_numbers
from porting.numeric.compare import sum_to

_ROWS: Final = 2  # one row is the sum over the rows


@cause(
    rank=20,
    of_gradients=True,
)
def missing_reduction(e: Evidence) -> str | None:
    """The gradient of an input that is broadcast is not summed over the axes along which it was repeated.

    Broadcasting uses an element many times, so its gradient is the sum over all uses. PyTorch's engine sums a
    gradient of the wrong shape for you without a word; TensorFlow hands it out as it is, and raises in tf.function.
    """
    found: dict[str, list[str]] = {}
    wrong: set[str] = set()
    for case, raw in e.raws:
        want = e.truth(case)
        for name, g in raw.items():
            shape = case.inputs[name].shape
            if want is None or g.shape == shape or g.size <= case.inputs[name].size:
                continue
            summed = sum_to(g, shape)
            if summed is None or not alike({name: summed}, {name: want[name]}):
                wrong.add(name)
            elif size(want[name]):  # zeros are right whatever they are multiplied by
                said = f"gradient of {name} has shape {list(g.shape)}, the input {list(shape)}; summed it is right"
                found.setdefault(name, []).append(said)
    right = {name: said[0] for name, said in found.items() if name not in wrong}
    return _told(e, right) if right else _one_share(e)


def _told(e: Evidence, right: dict[str, str]) -> str | None:
    """Say which gradient is right once it is summed: it explains what checks found of shapes, and no wrong number."""
    name, said = next(iter(right.items()))
    numbers = wrong_numbers(e)
    if not numbers:
        return said
    e.looked_at = found_in_shapes(e)
    others = [n for n, checks in numbers.items() if n not in right and checks & e.looked_at]
    e.told_of = name
    also = f"; gradient of {' and '.join(others)} is off too, in another way" if others else ""
    return f"{said}{also}" if e.looked_at else None


def _one_share(e: Evidence) -> str | None:
    """Say of which input the gradient is the first row's share alone."""
    example = e.example
    dy = example.case.dy or () if example else ()
    if example is None or len(dy) != 1 or dy[0].ndim == 0 or len(dy[0]) < _ROWS:
        return None
    first = np.concatenate([dy[0][:1], np.zeros_like(dy[0][1:])])
    want = e.truth(example.case, [first])
    for name in example.wrong:
        if want is None or example.case.inputs[name].ndim >= dy[0].ndim or not size(want[name]):
            continue
        if alike({name: example.got[name]}, {name: want[name]}):
            return f"{example.worst_of(name)}; gradient of {name} is the share of the first row, not the sum over them"
    return None
