"""The sign."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.example import alike


@cause(
    rank=50,
    torch="Turn the sign of the returned gradient.",
    tf="Turn the sign of the returned gradient.",
)
def wrong_sign(e: Evidence) -> str | None:
    """The gradient has the wrong sign.

    A minus lost in the derivation, or one too many: the derivative of 1 - x, of exp(-x), the second argument of a
    difference.
    """
    if e.example is None:
        return None
    names = list(e.example.wrong)
    turned = {n: -e.example.got[n] for n in names}
    return e.example.worst if alike(turned, {n: e.example.want[n] for n in names}) else None
