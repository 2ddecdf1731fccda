"""No cotangent."""

from typing import Final

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.example import alike, size
from porting.diagnosis.experiments import finite, same_in_another_shape
from porting.diagnosis.kinks import ignores_cotangent_at

_ONE_NUMBER: Final = ("kinks", "special_values", "coincidences")  # checks that find one number among others


@cause(
    rank=40,
    alone=True,
)
def ignores_cotangent(e: Evidence) -> str | None:
    """The gradient does not depend on the cotangent.

    It is right for a cotangent of 1, which is what a test on the sum of the outputs sends, and wrong as soon as
    anything follows the op: a factor, another layer, loss scaling.
    """
    if e.clean:
        found = next((f for c in _ONE_NUMBER if (f := e.finding(c)) and ignores_cotangent_at(e, f)), None)
        return f"{found.seen}, and the same again for twice the cotangent" if found else None
    if e.example is None:
        return same_in_another_shape(e)
    if not all(finite(g) for g in e.example.got.values()):
        return None
    other = e.cotangents("other")
    got, want = e.ask(e.example.case, other), e.truth(e.example.case, other)
    if got is None or want is None:
        return None
    for name in e.example.wrong:
        same = alike({name: got[name]}, {name: e.example.got[name]})
        if same and size(got[name]) and not alike({name: want[name]}, {name: e.example.want[name]}):
            return f"gradient of {name}: {e.example.worst}, and the same again for another cotangent"
    return None
