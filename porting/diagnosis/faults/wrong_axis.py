"""The axis."""

from itertools import permutations

import numpy as np

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.experiments import factors, reach


@cause(
    rank=46,
    of_gradients=True,
)
def wrong_axis(e: Evidence) -> str | None:
    """A sum, mean or length in the gradient is taken over another axis than in the forward.

    One row alone is right, since then there is one axis only; a square array hides a wrong length.
    """
    if e.op.truth != "oracle" and any((r.check, r.status) == ("adjoint", "agree") for r in e.results):
        return None  # it is the derivative of its own forward, whatever the other side's is
    for place, which in ((0, "first"), (-1, "last")):
        reached = reach(e, place)
        if reached is None:
            continue
        got, want = reached
        extra = got & ~want
        column = np.zeros_like(extra)
        column[..., place] = True  # where the cotangent goes over another axis; rows that are exchanged stay in it
        missed = want & ~got
        if extra.ndim >= 2 and extra.any() and not (extra & ~column).any() and (missed & ~column).any():
            return f"the {which} element reaches {extra.sum()} elements that it should not, and misses {missed.sum()}"
    shapes = factors(e, ((2, 5), (3, 4))) if e.op.contract.shapes else []
    if len(shapes) == 2:
        (a, sizes_a), (b, sizes_b) = shapes
        for i, j in permutations(range(len(sizes_a)), 2):
            ratios = sizes_a[i] / sizes_a[j], sizes_b[i] / sizes_b[j]
            if np.allclose((a, b), ratios) and not np.isclose(a, b):  # one shape alone shows no length
                times = f"{a:.6g} times the true one for a shape of {list(sizes_a)}"
                return f"the gradient is {times}, {b:.6g} times for {list(sizes_b)}"
    return None
