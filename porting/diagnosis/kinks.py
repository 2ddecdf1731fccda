"""Whether what is wrong is wrong at one number: a kink, where two conventions differ, or a zero that divides."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from porting.diagnosis.evidence import Evidence
from porting.diagnosis.example import Array, Example
from porting.errors import NotRecordedError, NoTruthError
from porting.parity.finding import Finding, Worst
from porting.runners import Case

_BESIDE: Final = 1e-3  # of the number, or of 1
_ANOTHER: Final = 0.01  # slope, of the larger one


def at_kink(e: Evidence, finding: Finding) -> bool:
    """Whether the worst element is at a kink: an oracle says where; of two sides the slopes beside it tell."""
    if finding.worst is None or not (e.op.contract.kinks or e.op.truth != "oracle"):
        return False
    at = [x for n, x in finding.worst.at.items() if n in e.op.wrt]
    settings = {abs(s) for s in e.op.settings({}).values() if isinstance(s, int | float)}
    likely = any(abs(x) in {0, *settings} for x in at) or (len(at) > 1 and len(set(at)) == 1)
    beside = list(_beside(e, finding))
    return any(s.jumps for s in beside) or not beside if likely else any(s.jumps and s.alone for s in beside)


def between_two_slopes(e: Evidence, finding: Finding) -> bool:
    """Whether the gradient is wrong at this number alone, and right beside it with another slope on either side."""
    return any(s.jumps and s.alone for s in _beside(e, finding))


def differs_along_a_tie(e: Evidence, finding: Finding) -> bool:
    """Whether inputs are equal at the worst element, and their gradients have another sum there.

    If all of them move by the same they stay equal, and along that way there is one derivative: no convention chooses.
    """
    at = {n: x for n, x in finding.worst.at.items() if n in e.op.wrt} if finding.worst else {}
    tied = [n for n, x in at.items() if list(at.values()).count(x) > 1]
    if finding.worst is None or not tied:
        return False
    with suppress(NotRecordedError):
        base = e.probe(e.dtype).case("beside", shape=(3,))
        found = e.look(_moved(base, finding.worst, tied[0], 0.0), rough=True)
        if found is not None and all(found.got[n].size and found.want[n].size for n in tied):
            got, want = (sum(float(g[n].flat[0]) for n in tied) for g in (found.got, found.want))
            return abs(got - want) > _ANOTHER * max(abs(got), abs(want))
    return False


def ignores_cotangent_at(e: Evidence, finding: Finding) -> bool:
    """Whether the gradient at the worst element is the same number for twice the cotangent, and the true one is not.

    Of a recording, which lacks the case, that is not known.
    """
    worst = finding.worst
    if worst is None:
        return False
    try:
        base = e.probe(e.dtype).case("beside", shape=(3,))
    except NotRecordedError:
        return False
    for by in (n for n in e.op.wrt if n in worst.at and base.inputs[n].size):
        case = _moved(base, worst, by, 0.0)
        double = [2 * v for v in case.dy or ()]
        once, twice = e.ask(case), e.ask(case, double)
        if once and twice and once[by].size and _same_number(once[by].flat[0], twice[by].flat[0]):
            true_once, true_twice = e.truth(case), e.truth(case, double)
            clipped = true_once and true_twice and true_once[by].flat[0] == true_twice[by].flat[0]  # the true one too
            return not clipped
    return False


def divides_by_zero(e: Evidence, finding: Finding) -> bool:
    """Whether a side is finite just below and just above the worst element, where it is not: no overflow ends there."""
    there = _finite_near(e, finding, 0.0)
    near = [_finite_near(e, finding, step) for step in (-_BESIDE, _BESIDE)] if there else []
    return any(not there[by] and all(beside.get(by, False) for beside in near) for by in there)


def has_no_value(e: Evidence, finding: Finding) -> bool:
    """Whether the forward is not finite at the worst element either: nothing is said there of the gradient alone."""
    return not all(_finite_near(e, finding, 0.0, of_value=True).values())


def _finite_near(e: Evidence, finding: Finding, step: float, *, of_value: bool = False) -> dict[str, bool]:
    """Return, by each input moved by a step, whether a side is finite; nothing where that cannot be asked."""
    worst, found = finding.worst, dict[str, bool]()
    if worst is None:
        return found
    with suppress(NotRecordedError, NoTruthError):
        base, probe = e.probe(e.dtype).case("beside", shape=(3,)), e.probe(e.dtype)
        for by in (n for n in e.op.wrt if n in worst.at and base.inputs[n].size):
            name, value = finding.fields.get("name"), of_value or finding.has(quantity="value")
            case = _moved(base, worst, by, step * max(1.0, abs(worst.at[by])))
            outcome = probe.runner.run(replace(case, dy=None) if value else case)
            parts = outcome.value if value else [g for n, g in zip(e.op.wrt, outcome.vjp, strict=False) if n == name]
            found[by] = outcome.raised is None and all(p is not None and np.isfinite(p.flat[:1]).all() for p in parts)
    return found


def _same_number(once: float, twice: float) -> bool:
    """Whether it is the same number, of those that double: 0 and infinity do not."""
    return bool(np.isfinite(once)) and once == twice != 0


class _Slopes(NamedTuple):
    """Whether the true gradient is another one on either side of a number, and whether only the one there is wrong."""

    jumps: bool
    alone: bool


def _beside(e: Evidence, finding: Finding) -> Iterator[_Slopes]:
    """Yield what is beside the worst element, by each input; nothing where that cannot be asked."""
    worst = finding.worst
    if worst is None or e.op.truth == "oracle":
        return
    base = e.probe(e.dtype).case("beside", shape=(3,))
    for by in e.op.wrt:
        x = base.inputs[by]
        if by not in worst.at or not x.size:
            continue
        like = [n for n, v in base.inputs.items() if v.shape == x.shape]
        step = _BESIDE * max(1.0, abs(worst.at[by]))
        asked = [_moved(base, worst, by, moved) for moved in (-step, 0.0, step)]
        found = [e.look(case, rough=True) for case in asked]  # rounding crosses the kink: it would allow all
        for name in like if all(found) else ():
            yield from _slopes(e, [f for f in found if f is not None], name)


def _moved(base: Case, worst: Worst, by: str, step: float) -> Case:
    """Return a case with the numbers of the worst element in its first place, one of them moved."""
    shape = base.inputs[by].shape
    like = {n: v for n, v in base.inputs.items() if v.shape == shape}
    here = {n: _first(v, worst.at.get(n, v.flat[0]) + step * (n == by)) for n, v in like.items()}
    dy = tuple(_first(v, worst.at.get("dy", v.flat[0])) if v.shape == shape else v for v in base.dy or ())
    return replace(base, inputs={**base.inputs, **here}, dy=dy)


def _slopes(e: Evidence, beside: Sequence[Example], name: str) -> Iterator[_Slopes]:
    """Yield what the gradient by an input says of the number; nothing if nothing is wrong there."""
    if name not in e.op.wrt:
        return
    below, _, above = (example.want[name].flat[0] for example in beside)
    wrong = [name in example.wrong and bool(example.wrong[name].flat[0]) for example in beside]
    if e.op.contract.shapes and not any(wrong):
        return  # its elements depend on each other: this is not what was seen
    jumps = abs(above - below) > _ANOTHER * max(abs(above), abs(below))
    yield _Slopes(bool(jumps), wrong == [False, True, False])


def _first(x: Array, number: float) -> Array:
    """Return a copy with another first element."""
    changed = x.copy()
    changed.flat[0] = number
    return changed
