"""What is wrong at one number: far out, where it is special, or where two are equal."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Final

import numpy as np

from porting.diagnosis.evidence import Evidence
from porting.diagnosis.example import Array, alike
from porting.diagnosis.experiments import cancels, few_digits
from porting.diagnosis.kinks import at_kink, between_two_slopes, differs_along_a_tie
from porting.dtypes import wide
from porting.errors import NotRecordedError
from porting.parity.finding import Finding

_FAR: Final = 5
_FINER: Final = 257  # from 1 to 720 in steps of a fortieth
_HALF: Final = 0.5  # of an error, a step before: a branch has none there


def at_one_number(e: Evidence) -> str | None:
    """Say that it is wrong where a number is special, or equal to another one, and nothing bends there."""
    if e.raised or (e.op.contract.shapes and e.differs("vjp")):  # everyday numbers do it: none of them is special
        return None
    found = e.finding("special_values")
    if found and (few_digits(found) or cancels(e, found)):  # a branch is no matter of the last digits
        return None
    if found and found.has(quantity="value") and (e.value_wrong or _is_everyday(e)):  # so are everyday numbers
        return None
    if found and found.worst and np.isfinite(found.worst.got):
        far = any(n in e.op.wrt and abs(x) >= _FAR for n, x in found.worst.at.items())
        kink = between_two_slopes(e, found) or _fades_in(e, found) if far else _is_convention(e, found)
        return None if kink else _and_beside(e, found)
    where = e.finding("coincidences", "differs", quantity="gradient")
    if not (where and where.worst and np.isfinite(where.worst.got)):
        return None
    return None if _is_convention(e, where) else f"right elsewhere; {where.seen}"


def _is_convention(e: Evidence, found: Finding) -> bool:
    """Whether another number may be meant there: there is no derivative, or there are several."""
    return at_kink(e, found) and not differs_along_a_tie(e, found)


def _is_everyday(e: Evidence) -> bool:
    """Whether the value of an everyday case is wrong in its first digits, where no check was asked to say so."""
    if any(r.check == "value" for r in e.results) or e.op.memory is not None or not e.ordinary:
        return False
    asked, probe = replace(e.ordinary[0], dy=None), e.probe(e.dtype)
    got, want = probe.runner.run(asked).value, probe.truth(asked).value
    return any(
        y.shape == w.shape and not alike({"y": wide(y)}, {"y": wide(w)}) for y, w in zip(got, want, strict=False)
    )


def _and_beside(e: Evidence, found: Finding) -> str:
    """Return what is seen of a number; where it coincides with others the same is wrong."""
    of, at = (found.fields.get("quantity"), found.fields.get("name")), found.worst.at if found.worst else {}
    for result in e.results:
        for other in result.findings if (result.check, result.status) == ("coincidences", "differ") else ():
            same = other.worst and any(n in e.op.wrt and other.worst.at.get(n) == x for n, x in at.items())
            if same and (other.fields.get("quantity"), other.fields.get("name")) == of:
                e.looked_at.add(result.check)
    return found.seen


def _fades_in(e: Evidence, found: Finding) -> bool:
    """Whether the error at a number far out grows out of nothing on the way there: that of a branch has a start."""
    at = {n: x for n, x in found.worst.at.items() if n in e.op.wrt and abs(x) >= _FAR} if found.worst else {}
    times = None
    with suppress(NotRecordedError):
        times = _times_allowed(e, found, at, np.geomspace(1 / max(map(abs, at.values())), 1, _FINER))
    if times is None:
        return bool(e.op.contract.shapes)  # the way there cannot be looked at: it may have lost its digits on it
    if times[0] > 1 or not (times > 1).any():
        return False
    first = np.argmax(times > 1)
    return bool(times[first - 1] > _HALF * times[first])


def _times_allowed(e: Evidence, found: Finding, far: Mapping[str, float], points: Array) -> Array | None:
    """Return the error in units of what is allowed, some inputs being moved, in shares of the way, the others not."""
    probe, at = e.probe(e.dtype), found.worst.at if found.worst else {}
    base = probe.case("on the way", shape=points.shape)
    if any(base.inputs[n].shape not in {(), points.shape} for n in far):
        return None

    def put(name: str, x: Array) -> Array:
        return np.full(points.shape, at.get(name, x.flat[0])).astype(x.dtype) if x.shape == points.shape else x

    moved = {
        n: (x * points).astype(base.inputs[n].dtype) for n, x in far.items() if base.inputs[n].shape == points.shape
    }
    inputs = {**{n: put(n, x) for n, x in base.inputs.items()}, **moved}
    case = replace(base, inputs=inputs, dy=tuple(put("dy", v) for v in base.dy or ()))
    if found.fields["quantity"] == "gradient":
        example, name = e.look(case), found.fields["name"]
        parts = (example.got[name], example.want[name], example.allowed[name]) if example else None
    else:
        outcome = probe.runner.run(case)
        several = outcome.raised or len(outcome.value) != 1
        parts = (
            None if several else (wide(outcome.value[0]), probe.truth(case).value[0], probe.value_tolerance(case)[0])
        )
    if parts is None or any(np.shape(a) != points.shape for a in parts):
        return None
    got, want, allowed = parts
    return np.asarray(np.abs(got - want) / np.maximum(allowed, 1e-300))
