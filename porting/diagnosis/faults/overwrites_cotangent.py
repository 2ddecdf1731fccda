"""The cotangent in place."""

from dataclasses import replace
from math import isfinite

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.example import alike
from porting.diagnosis.written_in_place import is_of_writing
from porting.dtypes import wide
from porting.parity.finding import Finding


@cause(
    rank=16,
    alone=True,
    beside=True,
    of_gradients=True,
)
def overwrites_cotangent(e: Evidence) -> str | None:
    """The backward overwrites its cotangent in place.

    Autograd hands the same tensor to every branch that needs it: in f(x) + x the other branch gets the overwritten
    numbers.
    """
    found = e.said("overwritten", name="dy") or e.said("overwritten", name="dy0") or e.said("overwritten", name="dy1")
    kept = any((r.check, r.status) == ("inputs_unchanged", "agree") for r in e.results)  # to the last bit
    if found is None and e.clean and not kept and e.finding("shared_cotangent"):
        found = _by_sharing(e)
    if found and found.worst and not isfinite(found.worst.got):  # the op's own NaN, whatever the cotangent is
        return None
    raised = [f for r in e.results if r.check == "layouts" for f in r.findings]
    if found and raised and all(is_of_writing(e, f) for f in raised):
        e.differs("layouts")
    return found.seen if found else None


def _by_sharing(e: Evidence) -> Finding | None:
    """Return what was found beside another branch, if the gradient is another one with a cotangent of its own."""
    case = e.probe(e.dtype).case()
    (dy,) = case.dy or ()
    alone, beside = (e.outcome(replace(case, use=use)) for use in ("plain", "shared"))
    pairs = [(a, b) for a, b in zip(alone.vjp, beside.vjp, strict=False) if a is not None and b is not None]
    same = all(alike({"": wide(a) + wide(dy)}, {"": wide(b)}) for a, b in pairs)
    return None if same else e.finding("shared_cotangent")
