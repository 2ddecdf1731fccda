"""Far out."""

from dataclasses import replace
from typing import Final

import numpy as np

from porting.diagnosis.cause import SURROGATE, cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.example import Array, Example
from porting.diagnosis.experiments import finite

_STEPS: Final = 33  # twice refined: the edge is known to a thousandth
_SHARP: Final = 100  # times what is allowed, right beyond the edge: a difference that fades out starts with less


def _jumps(e: Evidence, example: Example, name: str, by: str, mask: Array, measure: Array) -> bool:
    """Whether the error starts with a jump, as that of a branch does, or grows out of nothing."""
    if e.op.contract.shapes:
        return True
    case = example.case
    outside = int(np.argmin(np.where(mask, measure, np.inf)))
    x = case.inputs[by].reshape(-1)
    sign = np.sign(x[outside] * measure.reshape(-1)[outside])  # of x, where the measure is its size or its negative
    ends = sign * measure[~mask].max(), x[outside]
    for _ in range(2):
        points = np.linspace(*ends, _STEPS)
        inputs = {n: np.full(_STEPS, v.reshape(-1)[outside]).astype(v.dtype) for n, v in case.inputs.items()}
        dy = tuple(np.full(_STEPS, v.reshape(-1)[outside]).astype(v.dtype) for v in case.dy or ())
        found = e.look(replace(case, inputs={**inputs, by: points.astype(x.dtype)}, dy=dy))
        if found is None or name not in found.wrong:
            return True
        first = int(np.argmax(found.wrong[name]))
        ends = points[max(first - 1, 0)], points[first]
        off = np.abs(found.got[name] - found.want[name])[first]
        sharp = bool(off > _SHARP * found.allowed[name][first])
    return sharp


@cause(
    rank=55,
    torch="Compare the condition of the branch with the forward's: torch.where takes the same mask in both.",
    tf="Compare the condition of the branch with the forward's: tf.where takes the same mask in both.",
    meant=SURROGATE,
)
def wrong_branch(e: Evidence) -> str | None:
    """Right on one side of a threshold, wrong beyond it.

    A branch (clipping, saturation, a large-x approximation) has another condition or another formula in the backward
    than in the forward. Inputs of ordinary size never come there. So it is with a condition that holds where a number
    equals a static or another input.
    """
    names = e.op.wrt
    for case in e.probe(e.dtype).ordinary() if e.example else ():
        example = e.look(case)
        if example is None or not example.wrong:
            continue
        name, mask = next(iter(example.wrong.items()))
        for by in names:
            x = case.inputs[by].astype(np.float64)
            if x.shape != mask.shape or not finite(example.got[name]):
                continue
            for measure, text in ((np.abs(x), f"abs({by})"), (x, by), (-x, f"-{by}")):
                if mask.any() and not mask.all() and measure[mask].min() > measure[~mask].max():
                    if not _jumps(e, example, name, by, mask, measure):
                        continue
                    edge = f"{text} = {measure[~mask].max():.4g}, wrong from {measure[mask].min():.4g}"
                    return f"right up to {edge}: {example.worst}"
    found = e.finding("special_values") if e.example is None else None
    if found and found.worst and np.isfinite(found.worst.got):
        far = [n for n, x in found.worst.at.items() if n in names and abs(x) >= 5]
        return found.seen if far else None
    where = e.finding("coincidences", "differs", quantity="gradient") if e.example is None else None
    return f"right elsewhere; {where.seen}" if where and where.worst and np.isfinite(where.worst.got) else None
