"""No cotangent."""

from dataclasses import replace
from typing import Final

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.example import Array, alike, size
from porting.diagnosis.experiments import finite
from porting.diagnosis.kinks import ignores_cotangent_at

_ONE_NUMBER: Final = ("kinks", "special_values", "coincidences")  # checks that find one number among others


def _of_another_shape(e: Evidence) -> str | None:
    """Say which gradient of another shape than its input is the same for another cotangent."""
    for case, raw in e.raws:
        other = replace(case, dy=tuple(-2 * v for v in case.dy or ()))
        for name, g in raw.items():
            if g.shape == case.inputs[name].shape or not (finite(g) and size(g)):
                continue
            again, want, wanted = e.raw(other).get(name), e.truth(case), e.truth(other)
            if again is None or want is None or wanted is None or alike({name: want[name]}, {name: wanted[name]}):
                continue
            if again.shape == g.shape and alike({name: again}, {name: g}):
                return f"gradient of {name}: {_shown(g)} for any cotangent, of shape {list(g.shape)}"
    return None


def _shown(g: Array) -> str:
    return f"{g.flat[0]:.6g}" if g.size == 1 else "the same"


@cause(
    rank=19,
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
    if e.example is None and e.misshapen:
        return _of_another_shape(e)
    if e.example is None or not all(finite(g) for g in e.example.got.values()):
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
