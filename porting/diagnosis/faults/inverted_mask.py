"""The other side of a mask."""

from typing import Final

import numpy as np

from porting.diagnosis.cause import SURROGATE, cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.experiments import finite

_PROOF: Final = 3  # elements on each side of the mask


@cause(
    rank=52,
    meant=SURROGATE,
    of_gradients=True,
)
def inverted_mask(e: Evidence) -> str | None:
    """The gradient passes where it should be blocked, and is blocked where it should pass.

    A mask marks what is left out in one framework or version and what is kept in another, or the two branches of a
    select are exchanged. Where the gradient should be 0 it is not, and it is 0 everywhere else.
    """
    if e.example is None:
        return None
    parts = []
    for name in e.example.wrong:
        cases = [at for at in e.examples if name in at.wrong]
        if not cases or not all(finite(at.got[name]) and finite(at.want[name]) for at in cases):
            return None
        passes = np.concatenate([(at.got[name] != 0).reshape(-1) for at in cases])
        should = np.concatenate([(at.want[name] != 0).reshape(-1) for at in cases])
        if (passes == should).any() or min(passes.sum(), should.sum()) < _PROOF:
            return None
        both = f"{passes.sum()} elements where it should be 0, and at none of the {should.sum()} others"
        parts.append(f"gradient of {name} is not 0 at {both}")
    return ", ".join(parts)
