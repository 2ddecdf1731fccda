"""Far out."""

import numpy as np

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.experiments import finite


@cause(
    rank=55,
    torch="Compare the condition of the branch with the forward's: torch.where takes the same mask in both.",
    tf="Compare the condition of the branch with the forward's: tf.where takes the same mask in both.",
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
                    edge = f"{text} = {measure[~mask].max():.4g}, wrong from {measure[mask].min():.4g}"
                    return f"right up to {edge}: {example.worst}"
    found = e.finding("special_values") if e.example is None else None
    if found and found.worst and np.isfinite(found.worst.got):
        far = [n for n, x in found.worst.at.items() if n in names and abs(x) >= 5]
        return found.seen if far else None
    where = e.finding("coincidences", "differs", quantity="gradient") if e.example is None else None
    return f"right elsewhere; {where.seen}" if where and where.worst and np.isfinite(where.worst.got) else None
