"""No cotangent."""

from dataclasses import replace
from typing import Final

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.example import alike, size
from porting.diagnosis.experiments import finite, same_in_another_shape
from porting.diagnosis.in_complex import ignores_cotangent_in_complex
from porting.diagnosis.kinks import ignores_cotangent_at
from porting.parity.checks.second_order import second_order_case

_ONE_NUMBER: Final = ("kinks", "special_values", "coincidences")  # checks that find one number among others


@cause(
    rank=40,
    alone=True,
    of_gradients=True,
    by_input=True,
)
def ignores_cotangent(e: Evidence) -> str | None:
    """The gradient does not depend on the cotangent.

    It is right for a cotangent of 1, which is what a test on the sum of the outputs sends, and wrong as soon as
    anything follows the op: a factor, another layer, loss scaling.
    """
    if e.clean:
        return _of_second(e) or _at_one_number(e) or ignores_cotangent_in_complex(e)
    if e.example is None:
        return same_in_another_shape(e) or _in_a_graph(e)
    if not all(finite(g) for g in e.example.got.values()):
        return None
    other = e.cotangents("other")
    got, want = e.ask(e.example.case, other), e.truth(e.example.case, other)
    if got is None or want is None:
        return None
    for name in e.example.wrong:
        same = alike({name: got[name]}, {name: e.example.got[name]})
        nothing = not size(want[name])  # the true one is 0 for both
        if same and size(got[name]) and (nothing or not alike({name: want[name]}, {name: e.example.want[name]})):
            return f"gradient of {name}: {e.example.worst_of(name)}, and the same again for another cotangent"
    return None


def _at_one_number(e: Evidence) -> str | None:
    found = next((f for c in _ONE_NUMBER if (f := e.finding(c)) and ignores_cotangent_at(e, f)), None)
    return f"{found.seen}, and the same again for twice the cotangent" if found else None


def _of_second(e: Evidence) -> str | None:
    """Say which second derivative is the same for another cotangent of the gradient: it is linear in that one."""
    for found in e.findings("second_order", "differs"):
        case = second_order_case(e.probe(e.dtype), next(e.probe(e.dtype).variants()))
        other = replace(case, ddx=tuple(-2 * v for v in case.ddx or ()))
        once, again = (e.second(asked).get(found.fields["name"]) for asked in (case, other))
        if once is None or again is None or not (finite(once) and size(once)):
            continue
        if alike({"": once}, {"": again}):
            return f"{found.seen}, and the same again for another cotangent of the gradient"
    return None


def _in_a_graph(e: Evidence) -> str | None:
    """Say which gradient of a graph is the same for another cotangent, where the eager backward raises."""
    if e.raised is None or not e.ordinary:
        return None
    e.looked_at.clear()  # it explains no error
    wrong = [f for check in ("traced", "xla") if (f := e.finding(check, "differs", quantity="gradient"))]
    if not wrong:
        return None
    found, case = wrong[0], replace(e.ordinary[0], mode="function")
    other = [-2 * v for v in case.dy or ()]
    asked = [(e.ask(case, dy), e.truth(e.ordinary[0], dy)) for dy in (case.dy or (), other)]
    (got, want), (again, wanted) = asked
    name = found.fields["name"]
    if got is None or want is None or again is None or wanted is None or not (finite(got[name]) and size(got[name])):
        return None
    same = alike({name: got[name]}, {name: again[name]}) and not alike({name: want[name]}, {name: wanted[name]})
    return f"{found.seen}, and the same again for another cotangent" if same else None
