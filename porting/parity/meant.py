"""What may be meant so where one side of two is accused: a convention, rounding, what both sides do."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from porting.dtypes import unit_roundoff
from porting.pairs.pair import Pair
from porting.parity.finding import Finding, Result
from porting.parity.shared_second import is_shared, second_as_the_others
from porting.parity.sides import (
    DERIVATIVE,
    EVERYDAY,
    FINITE,
    LINEAR,
    NARROW,
    REPEATED,
    SECOND,
    Results,
    breaks,
    differs,
    has,
    is_declared,
    is_of_type,
    is_settled,
    is_within,
    overflow_together,
    overflows,
)

_NAN: Final = frozenset({"nan_hidden", "nan_spreads", "raised"})  # whose convention is right?
_CONVENTIONS: Final = {
    "shapes": frozenset({"raised", "no_truth"}),  # read off a signature, an input may have any rank: one takes fewer
    "nan_input": _NAN,
    "nan_cotangent": _NAN,
}
_OF_TYPES: Final = frozenset({"dtype_differs", "raw_repaired"})
_GRAPHS: Final = frozenset({"traced", "xla"})
_SPECIAL: Final = "special_values"
_LARGE: Final = "large"
_NUMBERS: Final = "numbers alone"
_LITTLE: Final = 4.0  # of the tolerance
_EXACT: Final = "float64"  # of whose tolerance four times is some 1e-14: no mistake is so small, a library's tanh is
_NO_OVERFLOW: Final = 40.0  # whose exponential is far from the largest number
_NEXT_TO_A_POLE: Final = 2.0**20  # what is so large for ordinary numbers has lost as many times its digits
_OF_IT: Final = 0.5  # is lost at most, next to a pole: what is further off is another formula
_EXTREMES: Final = "whole_range"  # at 1e-155 or 1e305 one side may overflow and the other not


def may_be_meant(result: Result, pair: Pair, sides: Mapping[str, Results]) -> bool:
    """Whether what differs between two sides may be meant so by both."""
    rounded = result.dtype == pair.widest and (result.check == _LARGE or result.dtype == _EXACT)
    little = rounded and _is_little(result.findings)
    # a bound, a width: where nothing else needs a gradient, a tape follows the forward
    numbers = all(finding.has(how=_NUMBERS) for finding in result.findings)
    convention = numbers or result.check == _EXTREMES or _at_shared_poles(result, sides)
    conditioned = result.check == _SPECIAL and all(
        finding.fields.get("normwise") or finding.fields.get("scattered") for finding in result.findings
    )
    alike = convention or _in_one_type(result, sides) or _of_its_own_type(result, pair, sides) or _is_no_worse(result)
    if little or conditioned or result.runner == pair.reference or alike or _all_draw(result, sides):
        return True
    result = beside_conventions(result, pair)
    if not result.findings:
        return True
    half = unit_roundoff(result.dtype) ** 0.5
    rounding = all(is_within(f, NARROW if f.fields.get("vectors") else half) for f in result.findings)
    if result.check in _GRAPHS or (rounding and result.check == _SPECIAL and not is_settled(pair)):
        # A compiler takes terms in another order, XLA's solvers stop at 1e-6; huge numbers cost any formula digits.
        return rounding
    shared = all(finding.fields.get("shared") for finding in result.findings)
    if (shared or result.dtype != pair.widest) and overflows(result):  # as the other one does
        plain = {key: [beside_conventions(r, pair) for r in side] for key, side in sides.items()}
        return overflow_together(result, plain)
    if result.check in {LINEAR, SECOND}:
        return _do_the_same(result, pair, sides)
    return result.check == DERIVATIVE and not is_declared(pair) and not _alone_told(result.runner, sides)


def _in_one_type(result: Result, sides: Mapping[str, Results]) -> bool:
    """Whether only types differ, and all sides cast to the same one, as a port's source does."""
    if len(sides) < 2 or not all(f.code in _OF_TYPES and is_of_type(result, f) for f in result.findings):
        return False
    same = [[r for r in side if (r.check, r.dtype) == (result.check, result.dtype)] for side in sides.values()]
    cast = [
        {f.key for r in side for f in r.findings if f.code == "dtype_differs" and f.has(quantity="value")}
        for side in same
    ]
    return bool(cast[0]) and all(those == cast[0] for those in cast)


def _of_its_own_type(result: Result, pair: Pair, sides: Mapping[str, Results]) -> bool:
    """Whether an output that loses no digits has another type than its input, where nobody gave any.

    ``(x > 0).float()`` is right wherever it is used: with float32.
    """
    return bool(_own_type(result, pair, sides)) and all(map(_of_value, result.findings))


def in_its_own_type(result: Result, pair: Pair, sides: Mapping[str, Results]) -> str:
    """Return the type that such an output has, if the digits of its cotangent are all that is found; or nothing."""
    digits = [f.has(rounded=True) or is_within(f, NARROW) for f in result.findings]
    return _own_type(result, pair, sides) if all(digits) else ""


def _own_type(result: Result, pair: Pair, sides: Mapping[str, Results]) -> str:
    mine = [r for r in sides[result.runner] if r.dtype == result.dtype]
    typed = [f for r in mine for f in r.findings if _of_value(f)]
    exact = not any(f.code == "differs" and f.has(quantity="value") for r in mine for f in r.findings)
    return str(typed[0].fields["got_dtype"]) if typed and exact and not pair.inputs else ""


def _of_value(finding: Finding) -> bool:
    return finding.code == "dtype_differs" and finding.has(quantity="value")


def _is_no_worse(result: Result) -> bool:
    """Whether the other side is off by as much in a narrow type: it is the formula that loses digits there."""
    return all(finding.fields.get("no_worse") for finding in result.findings)


def _all_draw(result: Result, sides: Mapping[str, Results]) -> bool:
    """Whether a gradient is another one each time on every side: noise in a backward is meant by all."""
    theirs = [{f.key for r in side if r.check == REPEATED for f in r.findings} for side in sides.values()]
    shared = set[Any].intersection(*theirs) if len(theirs) > 1 else set()
    return result.check == REPEATED and all(finding.key in shared for finding in result.findings)


def _is_little(findings: Sequence[Finding]) -> bool:
    """Whether all is off by a few times what is allowed: so much do libraries and their solvers lose, each its own."""
    return all(finding.worst is not None and finding.worst.ratio < _LITTLE for finding in findings)


def beside_conventions(result: Result, pair: Pair) -> Result:
    """Return a result without what its check finds where only a convention differs: the rest is judged as elsewhere."""
    meant = _CONVENTIONS.get(result.check, frozenset())
    if is_settled(pair):  # what hides a NaN that the reference has is no port of it
        meant = meant - {"nan_hidden"}
    return replace(result, findings=tuple(finding for finding in result.findings if finding.code not in meant))


def _at_shared_poles(result: Result, sides: Mapping[str, Results]) -> bool:
    """Whether no gradient is finite on any side, at a kink or of a surrogate: there is no true one.

    Surrogates that divide by zero at one number do so at others too, where the last digit of a tanh decides who does.
    """
    theirs = [{f.key for r in side if r.check == FINITE for f in r.findings} for side in sides.values()]
    shared = set[Any].intersection(*theirs) if len(theirs) > 1 else set()
    surrogates = all(differs(side, DERIVATIVE) for side in sides.values())
    if result.check == FINITE:
        return all(bool(surrogates and shared) or (f.fields.get("kink") and f.key in shared) for f in result.findings)
    return bool(surrogates and shared) and all(map(_is_a_pole, result.findings))


def _is_a_pole(finding: Finding) -> bool:
    """Whether one side or both are infinite, NaN or next to it, for numbers that overflow nothing."""
    worst = finding.worst
    if worst is None or not worst.at or any(abs(x) > _NO_OVERFLOW for x in worst.at.values()):
        return False
    if np.isfinite(worst.got) != np.isfinite(worst.want):
        return True
    return abs(worst.want) >= _NEXT_TO_A_POLE and abs(worst.got - worst.want) <= _OF_IT * abs(worst.want)


def _do_the_same(result: Result, pair: Pair, sides: Mapping[str, Results]) -> bool:
    """Whether both clip the cotangent, say, or one masks it by its sign, or both have the same second derivative."""
    if result.check == SECOND:
        once_more = _of_surrogates(pair, sides) and all(finding.code == "differs" for finding in result.findings)
        return once_more or all(map(is_shared, result.findings)) or second_as_the_others(result, sides)
    masked = not is_settled(pair) and not breaks(sides[result.runner], LINEAR)
    return masked or all(differs(side, LINEAR) for side in sides.values())


def _of_surrogates(pair: Pair, sides: Mapping[str, Results]) -> bool:
    """Whether no side has the gradient of its forward, and nobody said which is right.

    Differentiated again, an output that was saved takes the surrogate once more, and one that is computed again or is
    a constant does not: neither is the derivative of a function.
    """
    return not (is_settled(pair) or is_declared(pair)) and all(differs(side, DERIVATIVE) for side in sides.values())


def _alone_told(runner: str, sides: Mapping[str, Results]) -> bool:
    """Whether there is nothing else to compare, as with random numbers, and the other side keeps the law."""
    mine, others = sides[runner], [side for key, side in sides.items() if key != runner]
    other = others[0] if others else []
    compared = any(has(mine, check, "agree") or differs(mine, check) for check in EVERYDAY)
    return not compared and has(other, DERIVATIVE, "agree") and not differs(other, DERIVATIVE)
