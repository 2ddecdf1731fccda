"""One number for all cotangents."""

import numpy as np

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.example import alike, size
from porting.diagnosis.experiments import finite


@cause(
    rank=42,
    of_gradients=True,
)
def assumes_equal_cotangents(e: Evidence) -> str | None:
    """The gradient uses one number for all cotangents: their mean, their sum or the first.

    It is right when all cotangents are equal, as they are behind a sum or a mean, and wrong behind everything else.
    """
    if e.example is None or not all(finite(g) for g in e.example.got.values()):
        return None
    if not any(size(e.example.got[n]) for n in e.example.wrong):  # no gradient at all
        return None
    case, dy = e.example.case, e.example.case.dy or ()
    if not any(v.size > 1 for v in dy):
        return None
    turned = [np.roll(v, 1) for v in dy]
    in_rows = [np.roll(v, 1, axis=-1) if v.ndim else v for v in dy]
    first = [np.full_like(v, v.reshape(-1)[0]) if v.size else v for v in dy]
    for changed, how in (
        (in_rows, "of a row the order does not matter"),
        (turned, "their order does not matter"),
        (first, "only the first one matters"),
    ):
        got, want = e.ask(case, changed), e.truth(case, changed)
        if got is not None and want is not None and alike(got, e.example.got) and not alike(want, e.example.want):
            return f"{e.example.worst}; of the cotangents {how}"
    return None
