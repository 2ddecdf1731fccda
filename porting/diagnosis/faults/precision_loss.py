"""Digits lost."""

from contextlib import suppress
from dataclasses import replace
from typing import Final

import numpy as np

from porting.diagnosis.cause import ACCEPTED, cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.example import Array, size
from porting.diagnosis.experiments import cancels, few_digits, finite, narrow_numbers, not_finite, underflows
from porting.dtypes import wide
from porting.errors import NotRecordedError
from porting.runners import Case

_SCALE: Final = 1e4  # no type of float32's range overflows
_MOVED: Final = 0.02  # of the inputs: the rounding errors of 16 bits are others there
_SAME: Final = 0.9  # the correlation of two smooth errors
_CONSTANT: Final = 2.0**-23  # what a constant of float32 is off by: as smooth as a formula
_AMPLIFIED: Final = 8  # times, where a constant is subtracted, or multiplied by a large number in an exponent
_TINY: Final = 1e-9  # less than what a constant of float32 is off by, nearly always
_NARROWEST: Final = 0.02  # bfloat16 has eight bits
_FAR: Final = 1e-3  # the values are right in five digits
_MOST: Final = 0.5  # of the elements: rounding spares few
_FACTOR: Final = 30  # by which rounding errors of the same numbers differ, scaled


def _as_rounding(e: Evidence, name: str, error: float) -> bool:
    """Whether the error grows with the cotangent, as that of rounding does: something added or cut off does not."""
    assert e.example is not None  # noqa: S101 - asked for where there is one
    case = e.example.case
    for scale in (_SCALE, 1 / _SCALE):
        dy = [(scale * v).astype(v.dtype) for v in case.dy or ()]
        got, want = e.ask(case, dy), e.truth(case, dy)
        if got is None or want is None or not finite(got[name]):
            continue
        off = size(got[name] - want[name]) / max(size(want[name]), 1e-300)
        if not error / _FACTOR < off < error * _FACTOR:
            return False
    return True


def _smooth(e: Evidence, name: str) -> bool:
    """Whether the error stays the same beside the inputs: that of rounding does not, and that of a formula does."""
    assert e.example is not None  # noqa: S101 - asked for where there is one
    beside = e.look(_beside(e, e.example.case))
    if beside is None:
        return False
    return _alike(*(_off(found.got[name], found.want[name]) for found in (e.example, beside)))


def _smooth_far_out(e: Evidence, name: str) -> bool:
    """Whether the error of a wider case is more than a constant of float32 explains, and the same beside it."""
    for example in e.examples:
        off = _off(example.got[name], example.want[name])
        if size(off) <= _AMPLIFIED * _CONSTANT:
            continue
        with suppress(NotRecordedError):
            beside = e.look(_beside(e, example.case), rough=True)
            if beside is not None and _alike(off, _off(beside.got[name], beside.want[name])):
                return True
    return False


def _alike(off: Array, there: Array) -> bool:
    return bool(off @ there > _SAME * np.sqrt((off @ off) * (there @ there)))


def _off(got: Array, want: Array) -> Array:
    """Return what elements are off by, of themselves; small ones of the median, or a sum near 0 would outweigh all."""
    sizes = np.abs(want)
    with np.errstate(all="ignore"):
        share = (got - want) / np.maximum(sizes, np.median(sizes) if sizes.size else 0.0)
    return np.where(np.isfinite(share), share, 0.0).reshape(-1)


def _smooth_value(e: Evidence) -> bool:
    """Whether the values are off by more than a constant of float32 explains, and by as much beside the inputs."""
    for case in e.ordinary:
        off = _share(e, case)
        if off is None or size(off) <= _AMPLIFIED * _CONSTANT:
            continue
        there = _share(e, _beside(e, case))
        if there is not None and _alike(off, there):
            return True
    return False


def _share(e: Evidence, case: Case) -> Array | None:
    """Return what all values of a case are off by, of themselves; nothing where it raises."""
    probe = e.probe(e.dtype)
    outcome = probe.runner.run(replace(case, dy=None))
    want = probe.truth(case).value
    if outcome.raised or [y.shape for y in outcome.value] != [np.shape(y) for y in want]:
        return None
    return np.concatenate([_off(wide(y), wide(w)) for y, w in zip(outcome.value, want, strict=True)])


def _beside(e: Evidence, case: Case) -> Case:
    moved = {n: (x * (1 + _MOVED)).astype(x.dtype) if n in e.op.wrt else x for n, x in case.inputs.items()}
    return replace(case, inputs=moved)


def _gross(e: Evidence) -> bool:
    """Whether the gradient is off by more than the digits that the values have explain."""
    example = e.example
    names = example.wrong if example else ()
    return any(size(example.got[n] - example.want[n]) > _FAR * size(example.want[n]) for n in names if example)


def _in_gradients(e: Evidence) -> str | None:
    """Say which gradient has lost digits; nothing if one is wrong by more than that."""
    for name, mask in (e.example.wrong if e.example else {}).items():
        assert e.example  # noqa: S101 - for the type checker
        got, want = e.example.got[name], e.example.want[name]
        if not (finite(got) and finite(want)):
            return None
        with np.errstate(all="ignore"):
            ratio = got[mask] / want[mask]
        constant = np.ptp(ratio) < 0.05 * np.abs(ratio - 1).min()
        if constant and mask.sum() > 3 and _TINY < size(ratio - 1) <= _CONSTANT:
            return f"{e.example.worst}: off by {size(ratio - 1):.1e} of itself, as by a constant of float32"
        error = size(got - want) / max(size(want), 1e-300)
        if error < _TINY and e.op.truth != "oracle":  # of two sides the noise is known
            return None
        smooth = error > _CONSTANT and (_smooth(e, name) or mask.mean() < _MOST)
        smooth = smooth or (error < _TINY and _smooth(e, name)) or _smooth_far_out(e, name)
        if not _as_rounding(e, name, error) or (smooth and not (narrow_numbers(got) and error < _FAR)):
            return None
        if error < _NARROWEST and not (constant and mask.sum() > 3):
            how = ", as in float32 or narrower" if error > _TINY else ""
            return f"{e.example.worst}: off by {error:.1e} of the largest element{how}"
    return None


@cause(
    rank=36,
    kind="precision",
    meant=ACCEPTED,
    of_digits=True,
)
def precision_loss(e: Evidence) -> str | None:
    """The first digits are right, the others are lost on the way.

    A computation in a narrower type inside a wider one, a constant of a narrower type, the difference of two large
    numbers that are nearly the same, or a series that is cut off. In float32 the difference hides behind the type's own
    rounding: compare with float64. A square loses all of them where it underflows, below 1e-162 in float64 and 1e-23
    in float32: it is 0, and what is divided by its root is infinite.
    """
    known = next((f for check in ("value", "vjp") for f in e.findings(check) if f.lacks_digits("got")), None)
    if e.dtype == "float64" and known and not _gross(e):  # but where the type of the output is the mistake
        return None if known.has(rounded=True) else f"{known.worst}; {known.details[0]}"
    if e.dtype == "float64" and (e.example is not None or e.value_wrong):
        value = next((finding for finding in e.findings("value") if not finding.lacks_digits("want")), None)
        worst = value.worst if value else None
        tiny = worst and e.op.truth != "oracle" and abs(worst.got - worst.want) <= _TINY * abs(worst.want)
        if value and not tiny and few_digits(value) and not _gross(e) and not _smooth_value(e):
            return f"{worst}"
        another = worst and abs(worst.got - worst.want) > _NARROWEST * abs(worst.want)  # formula of the forward
        return None if another else _in_gradients(e)
    return _of_narrow(e)


def _of_narrow(e: Evidence) -> str | None:
    """Return what is lost in a narrow type, or at numbers that are not ordinary."""
    own = e.said("differs", noisy="got") if e.dtype == "float32" and not _gross(e) else None
    if own:
        return own.seen
    found = e.narrow_finding
    if found:
        return f"right in float64, in {found[0]} {found[1].worst}"
    large = e.finding("special_values", "differs") if e.clean else None
    if large and cancels(e, large):
        return f"right for ordinary numbers; {large.seen}"
    far = not_finite(e) if e.clean else None
    return f"{far.seen}: the square of such a number is 0" if far and underflows(e, far) else None
