"""The sign."""

from porting.diagnosis.cause import SURROGATE, cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.example import Arrays, Example, alike
from porting.diagnosis.in_complex import turned_in_complex


def _turned(e: Evidence, example: Example) -> Arrays | None:
    names = e.example.wrong if e.example else ()
    return {name: -g if name in names else g for name, g in example.got.items()}


@cause(
    rank=50,
    meant=SURROGATE,
    repair=_turned,
    of_gradients=True,
    by_input=True,
)
def wrong_sign(e: Evidence) -> str | None:
    """The gradient has the wrong sign.

    A minus lost in the derivation, or one too many: the derivative of 1 - x, of exp(-x), the second argument of a
    difference.
    """
    if e.example is None:
        return turned_in_complex(e)
    names = list(e.example.wrong)
    turned = {n: -e.example.got[n] for n in names}
    if not alike(turned, {n: e.example.want[n] for n in names}):
        return None
    return e.example.worst + (f"; so the gradient of {' and '.join(names[1:])}" if names[1:] else "")
