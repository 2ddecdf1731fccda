"""Two different functions."""

from porting.diagnosis.cause import SURROGATE, cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.own_in_complex import is_own_in_complex


@cause(
    rank=80,
    meant=SURROGATE,
    of_gradients=True,
)
def forward_gradient_disagree(e: Evidence) -> str | None:
    """The gradient is not that of the forward.

    The forward was changed and the backward was not, or it was copied from another function. If the difference is
    meant (a surrogate gradient), say so in the contract, and it is checked against the function that it is the
    derivative of.
    """
    if e.raised or (e.example is not None and e.op.truth != "oracle" and e.example.tiny):
        return None
    off = [f for r in e.results for f in r.findings if f.code == "differs"]
    if off and all(f.has(rounded=True) for f in off):  # of a cotangent in a narrower type
        return None
    found, among_complex = e.finding("adjoint", "not_its_derivative"), None
    if e.clean and not e.takes_real:  # the same is wrong there
        among_complex = e.finding("complex_numbers", "differs", quantity="gradient")
    asked = any(r.check == "adjoint" and r.status not in {"not applicable", "no verdict"} for r in e.results)
    if e.example is not None and (found or e.op.truth == "oracle" or not asked):
        return f"{e.example.worst}" + (f"; {found.details[0]}" if found else "")
    if found is None and among_complex:
        return None if is_own_in_complex(e) else among_complex.seen
    return f"{found.details[0]}" if found else None
