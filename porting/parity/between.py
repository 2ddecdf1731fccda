"""Who of two sides is wrong, where nobody said which one is right."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from porting.dtypes import FLOATS, unit_roundoff
from porting.pairs.pair import Pair
from porting.parity.finding import Finding, Result
from porting.parity.sides import (
    ALONE,
    COMPARED,
    DERIVATIVE,
    EVERYDAY,
    FINITE,
    LAWS,
    LINEAR,
    NARROW,
    TRACED,
    Results,
    breaks,
    breaks_in_a_graph,
    differs,
    draws_values,
    has,
    is_declared,
    is_typed,
    is_within,
)
from porting.parity.taken_back import without

# Everyday numbers in another use: whose numbers are known to be right and who is wrong in the use is wrong by itself.
_USES: Final = frozenset(
    {
        "broadcast", "indexed_slices", "interleaved", "jvp", "keyword_call", "layouts", "python_state", "second_order",
        "shared_cotangent", "single_outputs", "subsets", "traced", "variables", "vmap", "xla",
    }
)  # fmt: skip

_EAGERLY: Final = "its gradient in a graph is another one"
_NOT_LINEAR: Final = "its gradient is not linear in the cotangent"
_TYPED: Final = "it gives an output or a gradient in float32"
_SINGLE: Final = "it computes in float32"
_JUMPS: Final = "beside these inputs its numbers jump by as much as is off"
_NARROW: Final = "it has the digits of float32 only, and so has this one"


def between(result: Result, pair: Pair, sides: Mapping[str, Results]) -> Result:
    """Judge what one side of two is accused of, where nobody said which one is right."""
    if not (_disputed(result, sides[result.runner]) or (result.check == DERIVATIVE and not is_declared(pair))):
        return result
    compared = [f for f in result.findings if f.code in COMPARED]
    if not compared:  # it raises, say: that is its own
        return result
    other = next(key for key in sides if key != result.runner)
    laws: tuple[str, ...] = (*LAWS, DERIVATIVE) if is_declared(pair) else LAWS
    if all(f.has(quantity="value") for f in compared) and not draws_values(sides[other]):
        laws = tuple(law for law in laws if law not in LAWS)  # these are of gradients
    gradients = [f for f in compared if f.fields.get("quantity") == "gradient"]
    broken, mine = (_broken(sides[key], laws, of_gradients=bool(gradients)) for key in (other, result.runner))
    unlike = _misshapen(sides[other], result.check) and not _misshapen(sides[result.runner], result.check)
    if gradients and unlike and not differs(sides[result.runner], "vjp"):
        why = f"the {other} side, which it is compared with, has a fault of its own: a gradient of another shape"
        left = without(result, gradients, why)
        return replace(left, findings=disputed_findings(left.findings))
    faults = broken if broken and not mine else _faults(compared, sides[other], theirs=True)
    if not faults and is_typed(sides[other]) and _agrees_in_float32(result, sides[result.runner]):
        faults = [_TYPED]
    if not faults and _are_narrow([*sides[other], *sides[result.runner]]):
        alike = _agrees_in_float32(result, sides[result.runner])
        if all(_is_allowed_in_float32(f) or (alike and _is_beside(f)) for f in compared):
            faults = [_NARROW]
    if faults and result.check != DERIVATIVE:  # that compares a side with its own forward
        shared = faults == [_TYPED] and is_typed(sides[result.runner])
        # a rank may jump, to anybody; nobody said that the gradient is meant to be linear in its cotangent; and what
        # is used in float32 alone may compute in it
        no_fault = shared or faults in ([_JUMPS], [_NARROW], [LINEAR], [_TYPED], [_SINGLE])
        what = "is no measure there" if no_fault else "has a fault of its own"
        told = [{LINEAR: _NOT_LINEAR, TRACED: _EAGERLY}.get(fault, fault) for fault in faults]
        why = f"the {other} side, which it is compared with, {what}: {', '.join(told)}"
        return replace(result, status="no verdict", note=why, findings=())
    # somebody said of what it is the derivative, and the other one's is
    said = is_declared(pair) and DERIVATIVE in mine and has(sides[other], DERIVATIVE, "agree")
    if (said and gradients == compared) or _faults(compared, sides[result.runner], theirs=False):
        return result
    return replace(result, findings=disputed_findings(result.findings))


def _broken(side: Results, laws: Iterable[str], *, of_gradients: bool) -> list[str]:
    """Return what a side breaks by itself: some laws, and that its gradient is the same in a graph."""
    in_a_graph = [TRACED] if of_gradients and breaks_in_a_graph(side) else []
    return [*(law for law in laws if breaks(side, law)), *in_a_graph]


def disputed_findings(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return findings as disagreements where they compare two sides of which nobody knows who is right.

    The shape and the type of a gradient are those of its input, whatever the other side has.
    """
    return tuple(
        replace(f, kind="disagreement") if f.code in COMPARED and not _is_of_one_side(f) else f for f in findings
    )


def _faults(compared: Sequence[Finding], side: Results, *, theirs: bool) -> list[str]:
    """Return what is wrong with a side by itself, if it explains all of these findings."""
    which = "want" if theirs else "got"
    own = [f for r in side if r.check in EVERYDAY for f in r.findings]
    typed = is_typed(side)
    narrow = typed or any(f.lacks_digits("got") for f in own)
    explained = [
        f.lacks_digits(which)
        or (narrow and (is_within(f, NARROW) or _is_beside(f)))
        or (typed and theirs and f.has(quantity="second"))
        for f in compared
    ]
    if all(explained):
        if typed:
            return [_TYPED]
        single = any(f.fields.get("single") == who for who, of in ((which, compared), ("got", own)) for f in of)
        both = any(f.has(noisy="float32") for f in compared)
        return [_SINGLE if single else _NARROW if both else _JUMPS]
    numbers = [getattr(f.worst, which) if f.worst else 0.0 for f in compared]
    return [FINITE] if differs(side, FINITE) and not np.isfinite(numbers).any() else []


def _are_narrow(side: Results) -> bool:
    """Whether some numbers showed that both sides have the digits of float32 only."""
    return any(f.has(noisy="float32") for r in side for f in r.findings)


def _is_allowed_in_float32(finding: Finding) -> bool:
    """Whether what is off in float64 is no more than float32 is allowed: the same number of its roundings."""
    roundings = unit_roundoff("float32") / unit_roundoff("float64")
    return finding.worst is not None and finding.worst.ratio <= roundings


def _is_beside(finding: Finding) -> bool:
    """Whether a number is off by less than float32's digits of what it is computed from: it may be 0 itself."""
    worst = finding.worst
    return worst is not None and abs(worst.got - worst.want) <= NARROW * max(map(abs, worst.at.values()), default=0.0)


def _agrees_in_float32(result: Result, mine: Results) -> bool:
    """Whether a check in float64 agrees in float32: then a side that has float32 in both is what is off, steps too."""
    check = "vjp" if result.check in _USES else result.check  # a use may be asked in float64 alone
    same = [r for r in mine if (r.check, r.dtype) == (check, "float32")]
    return result.dtype == "float64" and any(r.status == "agree" and r.compared for r in same)


def _misshapen(side: Results, check: str) -> bool:
    """Whether a check, or the everyday one, found a gradient of another shape than its input."""
    wrong = [f for r in side if r.check in {check, "vjp"} and r.status == "differ" for f in r.findings]
    return any(f.code == "raw_shape" or _is_misshapen(f) for f in wrong)


def _is_of_one_side(finding: Finding) -> bool:
    """Whether a gradient has another shape or another type than its input, or is another one than in a graph."""
    of_input = finding.code in {"shape_differs", "dtype_differs"} and finding.has(quantity="gradient")
    return of_input or finding.has(truth="plain")


def _is_misshapen(finding: Finding) -> bool:
    """Whether a gradient has another shape than its input."""
    return finding.code == "shape_differs" and finding.has(quantity="gradient")


def _disputed(result: Result, mine: Results) -> bool:
    """Whether a result rests on who is right; not if the side differs from itself, in another type or in a use."""
    if result.check in ALONE or not any(finding.code in COMPARED for finding in result.findings):
        return False
    if result.check in _USES:
        known = has(mine, "vjp", "agree", [result.dtype]) and not _are_narrow(mine)
        return any(differs(mine, check) for check in EVERYDAY) or not known
    widest = max((r.dtype for r in mine if r.status != "no verdict"), key=FLOATS.index)
    others = [r for r in mine if r.dtype == widest and r.check not in ALONE | _USES and r.status == "differ"]
    return any(finding.code in COMPARED for r in others for finding in r.findings)
