"""What several detectors ask of the numbers: one factor for all elements, what reaches what, how many digits."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import product
from typing import Any, Final

import numpy as np

from porting.diagnosis.evidence import Evidence
from porting.diagnosis.example import Array, Arrays, Example, alike, size, within
from porting.dtypes import FLOATS, is_inexact, unit_roundoff, wide
from porting.errors import NotRecordedError
from porting.parity.finding import Finding
from porting.parity.sides import is_of_type, is_within
from porting.runners import Case

_FAR: Final = 4
_LARGER: Final = (8.0, 64.0, 512.0)  # times everyday numbers: exponentials overflow
_TINY: Final = 1e-18
_SMALL: Final = 8.0  # whose exponential's square is far from the largest number
_NEARLY_ONE: Final = 1 / 16
_SAME: Final = 1e-6  # of an element
SHARES: Final = _SAME, 1e-4  # of an element: another formula beside it may have a small constant, log(q + 1e-9) say
_LEFT: Final = 1e-3  # of what was wrong: the rest has another cause, a small constant say
_ONE_DIGIT: Final = 0.5  # of an element

# what the chain rule may have forgotten, as functions of an input or of the output
INNER: Final[dict[str, Callable[[Array], Array]]] = {
    "x": lambda x: x,
    "x^2": lambda x: x**2,
    "exp(x)": np.exp,
    "cos(x)": np.cos,
    "sin(x)": np.sin,
    "1 - x": lambda x: 1 - x,
    "1 - x^2": lambda x: 1 - x**2,
    "1 + x^2": lambda x: 1 + x**2,
    "1 + exp(x)": lambda x: 1 + np.exp(x),
    "1 + exp(-x)": lambda x: 1 + np.exp(-x),
    "sqrt(x)": lambda x: np.sqrt(np.abs(x)),
    "sign(x)": np.sign,
    "cosh(x)": np.cosh,
}


def repaired(e: Evidence, repair: Callable[[Evidence, Example], Arrays | None]) -> float | None:
    """Return the share of the wrong elements of everyday cases that a repair makes right; nothing if one gets worse.

    An element of which a thousandth stays wrong counts as right.
    """
    mended = wrong = 0
    for example in e.examples:
        if not example.wrong:
            continue
        got = repair(e, example)
        if got is None:
            return None
        for name, mask in example.wrong.items():
            with np.errstate(all="ignore"):
                off = np.abs(got[name] - example.want[name])
                before = np.abs(example.got[name] - example.want[name])
                worse = off > np.maximum(before, example.allowed[name])
                right = within(got[name], example.want[name], example.allowed[name]) | (off <= _LEFT * before)
            if worse.any():
                return None
            wrong += int(mask.sum())
            mended += int((mask & right).sum())
    return mended / wrong if wrong else 1.0


def constant(a: Array, b: Array, share: float = _SAME) -> float | None:
    """Return the number f, not 1, for which a = f b in every element, up to a share; nothing if there is none."""
    factor = proportional(a, b, share)
    if factor is None or factor == 1:
        return None
    near = np.abs(a - factor * b) <= 1e-3 * abs(factor - 1) * np.abs(b) + 1e-13 * size(b)
    return factor if near.all() else None


def factor(a: Array, b: Array) -> float | None:
    """Return the number f for which a = f b in every element, to few digits if not to many, unless it is 1."""
    return next((f for share in SHARES if (f := constant(a, b, share)) and abs(f - 1) >= share), None)


def proportional(a: Array, b: Array, share: float = _SAME) -> float | None:
    """Return the number f for which a = f b in every element, up to a share; nothing if there is none."""
    if not (finite(a) and finite(b) and size(b)) or a.shape != b.shape or np.count_nonzero(b) < min(3, b.size):
        return None
    at = np.argmax(np.abs(b))
    factor = float(a.reshape(-1)[at] / b.reshape(-1)[at])
    allowed = share * abs(factor) * np.abs(b) + 1e-13 * abs(factor) * size(b)
    return factor if factor and (np.abs(a - factor * b) <= allowed).all() else None


def factors(e: Evidence, shapes: Sequence[tuple[int, ...]]) -> list[tuple[float, tuple[int, ...]]]:
    """Return the factor between gradient and truth of the first wrong input, with its shape, by shape."""
    found = []
    for shape in shapes:
        example = e.look(e.probe(e.dtype).case("factors", shape=shape, lengths=(shape[-1], 5, 3, 2, 6)), rough=True)
        for name in example.wrong if example else ():
            factor = constant(example.got[name], example.want[name]) if example else None
            if factor is not None and example:
                found.append((factor, example.want[name].shape))
                break
    return found


def reach(e: Evidence, place: int) -> tuple[Array, Array] | None:
    """Return which elements of a wrong gradient follow one element of dy or of an input, and which should.

    `place` is 0 for the first element, -1 for the last one.
    """
    if e.example is None:
        return None
    case = next((c for c in (e.probe(e.dtype).case(), e.example.case) if _has_axes(e, c)), None)
    if case is None:
        return None
    name = next(iter(e.example.wrong))
    before = e.ask(case), e.truth(case)
    for moved in (_nudged_cotangent(case, place), *(_nudged_input(case, n, place) for n in e.op.wrt)):
        parts = []
        for of, at in zip(before, (e.ask(moved), e.truth(moved)), strict=True):
            if of is None or at is None:
                return None
            parts.append(np.abs(at[name] - of[name]) > 1e-10 * size(of[name]))
        if parts[0].shape == parts[1].shape == (case.dy or ())[0].shape:
            here = parts[0].flat[place] or parts[1].flat[place]  # at its own place it says nothing about others
            parts[0].flat[place] = parts[1].flat[place] = here
        if parts[0].shape == parts[1].shape and (parts[0] & ~parts[1]).any():
            return parts[0], parts[1]
    return None


def _has_axes(e: Evidence, case: Case) -> bool:
    """Whether a case has axes to sum over, and is wrong."""
    found = e.look(case) if any(v.ndim > 1 for v in case.inputs.values()) else None
    return bool(found and found.wrong)


def _nudged_cotangent(case: Case, place: int) -> Case:
    first, *rest = case.dy or ()
    changed = first.copy()
    changed.flat[place] *= 2
    return replace(case, dy=(changed, *rest))


def _nudged_input(case: Case, name: str, place: int) -> Case:
    """Return a case with one number moved, by too little for a mask or a maximum to change."""
    changed = case.inputs[name].copy()
    changed.flat[place] *= 1 + 1 / 64
    return replace(case, inputs={**case.inputs, name: changed})


def same_in_another_shape(e: Evidence) -> str | None:
    """Say which gradient of another shape than its input is the same for another cotangent, which explains both."""
    if e.example is not None or not e.misshapen:
        return None
    for case, raw in e.raws:
        other = replace(case, dy=tuple(-2 * v for v in case.dy or ()))
        for name, g in raw.items():
            if g.shape == case.inputs[name].shape or not (finite(g) and size(g)):
                continue
            again, want, wanted = None, None, None
            with suppress(NotRecordedError):
                again, want, wanted = e.raw(other).get(name), e.truth(case), e.truth(other)
            if again is None or want is None or wanted is None or alike({name: want[name]}, {name: wanted[name]}):
                continue
            if again.shape == g.shape and alike({name: again}, {name: g}):
                return f"gradient of {name}: {_shown(g)} for any cotangent, of shape {list(g.shape)}"
    return None


def _shown(g: Array) -> str:
    return f"{g.flat[0]:.6g}" if g.size == 1 else "the same"


def inner_values(e: Evidence, case: Case) -> dict[str, Array]:
    """Return the inputs, and the output if there is one, by name."""
    found = {name: wide(x) for name, x in case.inputs.items()}
    outcome = e.probe(case.dtype).runner.run(replace(case, dy=None))
    return {**found, "y": wide(outcome.value[0])} if len(outcome.value) == 1 else found


def shape_of(case: Case) -> tuple[int, ...]:
    """Return the shape to ask for to get such a case again."""
    shapes = {x.shape for x in case.inputs.values()}
    return shapes.pop() if len(shapes) == 1 and not case.op.contract.shapes else (3, 4)


def not_finite(e: Evidence) -> Finding | None:
    """Return the first finding, of the widest type, whose worst element is not finite where a number is wanted."""
    results = sorted(e.results, key=lambda result: -FLOATS.index(result.dtype))
    for check in ("special_values", "kinks", "vjp", "value", "linear", "large", "second_order", "whole_range"):
        for result in results:
            for finding in result.findings if result.check == check and result.status == "differ" else ():
                worst = finding.worst
                if worst and not np.isfinite(worst.got) and np.isfinite(worst.want):
                    e.looked_at.add(check)
                    return finding
    return None


def in_places(example: Example) -> bool:
    """Whether the gradient is NaN or infinite in places, and a number elsewhere."""
    numbers = np.concatenate([np.isfinite(g).reshape(-1) for g in example.got.values()])
    return bool(numbers.any() and not numbers.all())


def overflows(e: Evidence, finding: Finding) -> bool:
    """Whether the worst element is far out, or infinite where no input is 0, or is so in a narrow type only."""
    at = [x for n, x in finding.worst.at.items() if n in e.op.inputs] if finding.worst else []
    if at and all(0 < abs(x) < _TINY for x in at):  # whose square is 0
        return False
    unseen = finding.worst is not None and not finding.worst.at.keys() >= {*e.op.wrt}  # inputs of another shape
    if unseen and e.op.truth != "oracle" and not any(abs(x) >= _FAR for x in at) and not _is_lost_further_out(e):
        return False
    if not e.differs_in(e.dtype) or (finding.fields.get("quantity") == "value" and _infinite(finding)):
        return True
    return any(abs(x) >= _FAR for x in at) or bool(_infinite(finding) and at and all(at))


def divides_by_a_difference(e: Evidence) -> bool:
    """Whether it is infinite for small numbers where the true number is as large as one over a rounding."""
    for r in e.results if not e.op.narrow else ():
        for f in r.findings if r.status == "differ" and r.dtype in {"float32", "float64"} else ():
            worst = f.worst
            if worst is None or not np.isinf(worst.got) or not worst.at.keys() >= {*e.op.wrt}:
                continue
            if any(abs(x) > _SMALL for x in worst.at.values()):
                continue
            if _NEARLY_ONE / unit_roundoff(r.dtype) <= abs(worst.want) < np.inf:
                return True
    return False


def _is_lost_further_out(e: Evidence) -> bool:
    """Whether numbers of everyday cases, made larger, have no finite result where the true one is finite."""
    for case, factor in product(e.ordinary, _LARGER):
        larger = {n: (x * factor).astype(x.dtype) if is_inexact(x) else x for n, x in case.inputs.items()}
        probe, asked = e.probe(e.dtype), replace(case, inputs=larger)
        got, want = probe.runner.run(asked), probe.truth(asked)
        pairs = zip((*got.value, *got.vjp), (*want.value, *want.vjp), strict=False)
        if not got.raised and any(_is_lost(a, b) for a, b in pairs if a is not None and b is not None):
            return True
    return False


def _is_lost(got: Array, want: Array) -> bool:
    return got.shape == want.shape and bool((~np.isfinite(got) & np.isfinite(want)).any())


def underflows(e: Evidence, finding: Finding) -> bool:
    """Whether the worst element is infinite where the square of each input is 0: x / 0 is infinite, 0 / 0 is not."""
    at = [x for n, x in finding.worst.at.items() if n in e.op.inputs] if finding.worst else []
    return _infinite(finding) and bool(at) and all(0 < abs(x) < _TINY for x in at)


def _infinite(finding: Finding) -> bool:
    return bool(finding.worst and np.isinf(finding.worst.got))


def few_digits(finding: Finding) -> bool:
    """Whether the worst element of a finding is right in its first digits."""
    worst = finding.worst
    return worst is not None and 0 < abs(worst.got - worst.want) < 1e-5 * max(abs(worst.want), abs(worst.got))


def cancels(e: Evidence, finding: Finding) -> bool:
    """Whether half of the digits are right where terms are added: large ones leave no more of a small difference."""
    dtypes = [r.dtype for r in e.results if finding in r.findings]
    return bool(e.op.contract.shapes) and all(is_within(finding, unit_roundoff(dtype) ** 0.5) for dtype in dtypes)


def wrong_beside_types(e: Evidence) -> bool:
    """Whether values are wrong by more than digits, in a type too in which nothing is said of types."""
    wrong = [(r, f) for r in e.results if r.status == "differ" for f in r.findings]
    types = {r.dtype for r, f in wrong if is_of_type(r, f)}
    values = [(r.dtype, f) for r, f in wrong if (r.check, f.code) == ("value", "differs") and not is_of_type(r, f)]
    off = {dtype for dtype, f in values if f.worst and np.isfinite(f.worst.got) and not few_digits(f)}
    return bool(off & types and off - types)


def beyond_digits(e: Evidence) -> set[str]:
    """Return the checks that found numbers of which no digit is right, where those of everyday cases are nearly so."""

    def is_beyond(f: Finding) -> bool:
        of_numbers = f.code == "differs" and f.worst is not None and np.isfinite(f.worst.got)
        noisy = f.fields.get("noisy") in {"got", "both", "float32"}  # what is rounded to float32 alone has a digit
        return bool(of_numbers and not (noisy or is_within(f, _ONE_DIGIT)))

    wrong = [r for r in e.results if (r.status, r.dtype) == ("differ", e.dtype)]
    found = {r.check for r in wrong if any(map(is_beyond, r.findings))}
    return set() if found & {"value", "vjp"} or e.is_gross else found


def first_of(code: str, e: Evidence) -> Finding | None:
    """Return the first finding with a code that no wrong everyday number explains: a gradient explains no value."""
    if e.raised is not None:
        return None
    if e.example is None:
        return e.said(code)
    return None if e.value_wrong else e.said(code, quantity="value")


def narrow_numbers(a: Array) -> bool:
    """Whether all elements are numbers of float32."""
    with np.errstate(all="ignore"):
        return bool((a.astype(np.float32).astype(np.float64) == a).all())


def finite(a: Any) -> bool:
    """Whether all elements are finite."""
    return bool(np.isfinite(a).all())
