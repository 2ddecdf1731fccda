"""Who is wrong, where two sides disagree and there is no oracle."""

from collections.abc import Sequence
from dataclasses import replace

from porting.parity.finding import Result
from porting.spec import BACKENDS

_BY_ITSELF = {"adjoint", "linear", "repeated", "raw_gradient", "inputs_unchanged", "global_state", "leak"}


def acquit(results: Sequence[Result], pairs: set[str]) -> list[Result]:
    """Take a side's disagreement with the other one back where only the other one contradicts itself.

    Parameters
    ----------
    results : sequence of Result
        Of all sides.
    pairs : set of str
        Names of the pairs that have no oracle and no reference.

    Returns
    -------
    list of Result
        A side whose gradient is the derivative of its own forward, compared with one whose gradient is not, gets *no
        verdict* in place of *differ*.
    """
    judged = list(results)
    for name in pairs:
        own = {
            key: {r.status for r in results if (r.op, r.check, r.runner) == (name, "adjoint", key)} for key in BACKENDS
        }
        for key in BACKENDS:
            other = next(k for k in BACKENDS if k != key)
            if "differ" in own[other] and "agree" in own[key] and "differ" not in own[key]:
                note = f"the {other} side, which it is compared with, is not the derivative of its own forward"
                judged = [
                    replace(r, status="no verdict", note=note, findings=())
                    if (r.op, r.runner, r.status) == (name, key, "differ") and r.check not in _BY_ITSELF
                    else r
                    for r in judged
                ]
    return judged
