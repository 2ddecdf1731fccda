"""Who is wrong where two sides differ and there is no oracle: often nobody can tell."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from porting.backends import TITLES
from porting.dtypes import FLOATS, unit_roundoff
from porting.pairs.pair import Pair
from porting.parity.checks import checks
from porting.parity.finding import Finding, Result
from porting.parity.free_signs import hanging_on_signs
from porting.parity.shared_second import is_shared, marked, of_its_own, second_as_the_others, shared_in_part
from porting.parity.sides import (
    DERIVATIVE,
    SECOND,
    Results,
    breaks,
    differs,
    has,
    is_of_type,
    is_within,
    overflow_together,
    overflows,
)

# Codes of findings that compare a side with the other one.
_COMPARED: Final = frozenset(
    {
        "not_its_derivative",
        "differs",
        "shape_differs",
        "count_differs",
        "dtype_differs",
        "nan_hidden",
        "nan_spreads",
        "not_finite",
    }
)
# What a side says of its gradient as a whole: where one of these is broken, the side is no measure for another one.
_LINEAR: Final = "linear"
_REPEATED: Final = "repeated"
LAWS: Final = (_LINEAR, _REPEATED)
_FINITE: Final = "finite"
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
_EXTREMES: Final = "whole_range"  # at 1e-155 or 1e305 one side may overflow and the other not
_UNREFUSED: Final = "not_refused_twice"  # somebody said that it is not promised: few strangers' functions refuse it
_EVERYDAY: Final = ("value", "vjp")
_NARROW: Final = 1e-5  # of an element: some hundred roundings of float32
_FIRST: Final = "it is compared with differences of the other side's gradient, which is another one already"
_LESS: Final = 1e-9  # of an element: more digits than float32 has
# Everyday numbers in another use: whose numbers are known to be right and who is wrong in the use is wrong by itself.
_USES: Final = frozenset(
    {
        "broadcast", "indexed_slices", "interleaved", "jvp", "keyword_call", "layouts", "python_state", "second_order",
        "shared_cotangent", "single_outputs", "subsets", "traced", "variables", "vmap", "xla",
    }
)  # fmt: skip
_ALONE: Final = frozenset(
    {*LAWS, _FINITE, DERIVATIVE, "raw_gradient", "inputs_unchanged", "global_state", "leak", "retained"}
)
ASKED: Final = (*LAWS, _FINITE, DERIVATIVE, *_EVERYDAY)  # what must be known of both sides to judge any one result


def settle(results: Sequence[Result], pairs: Iterable[Pair], *, strict: bool = False) -> list[Result]:
    """Say of what is found in pairs how far it is a fault.

    Agreement with one's own forward acquits nobody: the other side may be a surrogate, which never has it.

    Parameters
    ----------
    results : sequence of Result
        Of all sides.
    pairs : iterable of Pair
        Those that are not of the catalogue, whose ops promise all that is checked.
    strict : bool
        Whether what may be meant so differs, too.

    Returns
    -------
    list of Result
        Between two sides without an oracle: where one alone breaks a law, computes in float32 inside float64, or has a
        gradient that is not finite where its forward is smooth, what the other one is accused of for that is *no
        verdict*; so is what follows from the free signs of eigenvectors. What else they say of each other is of the
        kind *disagreement*. A *note* is what the reference is accused of, a second derivative that an oracle does not
        promise and that is not refused either, that a gradient is not the derivative of its own forward where nobody
        said that it is, that both sides break linearity, overflow in a narrow type, are not finite at a kink or have
        the same second derivative of a surrogate, that an input without a gradient gets one when nothing else needs
        one, that both answer in one type, which is not the one asked in, and nobody said it, that one overflows at the
        ends of the range, takes inputs of fewer ranks or lets a NaN through, and what is true of most gradients as
        people write them (`Check.note`).
    """
    judged = list(results)
    for pair in pairs:
        mine = [r for r in results if r.op == pair.name]
        sides = {key: _plain([r for r in mine if r.runner == key]) for key in pair.compared}
        judged = [
            _judged(_asked(r, pair, strict=strict), pair, sides, strict=strict) if r.op == pair.name else r
            for r in judged
        ]
    return judged


def _plain(results: Sequence[Result]) -> Results:
    return [r for r in results if (r.device, r.mode) == ("cpu", "eager")] or results


def _asked(result: Result, pair: Pair, *, strict: bool) -> Result:
    """Return a result as it was asked for: a note counts if they are strict, what nobody needs does not otherwise."""
    if strict:
        return replace(result, status="differ") if result.status == "note" else result
    if _is_unrefused(result) and pair.oracle is None:
        return replace(result, status="not applicable", note="order=1 says that nobody needs it", findings=())
    return result


def _is_unrefused(result: Result) -> bool:
    return {finding.code for finding in result.findings} == {_UNREFUSED}


def _judged(result: Result, pair: Pair, sides: Mapping[str, Results], *, strict: bool) -> Result:
    if result.status != "differ" or result.runner not in sides:
        return result
    two = pair.oracle is None and (len(sides) > 1 or pair.like is not None)
    if two and (taken := _taken_back(result, sides)):
        if taken.status != "differ":
            return taken
        result = taken  # what is left is judged as elsewhere: rounding under XLA, say
    if noted := _noted(result, pair, sides, two=two, strict=strict):
        return noted
    if two and _is_settled(pair):
        return _without_digits(result, pair, sides)
    return _between(result, pair, sides) if two else result


def _taken_back(result: Result, sides: Mapping[str, Results]) -> Result | None:
    """Take back what compares a side with random numbers, with vectors whose signs are free, …; else nothing."""
    random = _random(result, sides) if result.check != DERIVATIVE else None
    if random:
        return random
    taken, why = shared_in_part(result)
    if not taken:
        taken, why = hanging_on_signs(result, sides, alone=result.check in _ALONE)
    if not taken:
        another, (own, of_own) = _of_another_gradient(result, sides[result.runner]), of_its_own(result)
        taken, why = [*another, *own], _FIRST if another else of_own
    return _without(result, taken, why) if taken else None


def _of_another_gradient(result: Result, mine: Results) -> list[Finding]:
    """Return what compares a second derivative with the other side's first one, where these differ, or raise."""
    first = [r.status for r in mine if (r.check, r.dtype) == ("vjp", result.dtype)]
    if result.check != SECOND or not first or "agree" in first:
        return []
    return [f for f in result.findings if f.code == "differs" and f.fields.get("truth") in TITLES.values()]


def _noted(result: Result, pair: Pair, sides: Mapping[str, Results], *, two: bool, strict: bool) -> Result | None:
    """Return a result as what may be meant so; nothing if it may not."""
    if not (checks()[result.check].note or _is_unrefused(result) or (two and _may_be_meant(result, pair, sides))):
        return None
    found = marked(result, sides) if two else result.findings
    found = _disputed_findings(found) if two and not _is_settled(pair) else found
    return replace(result, status="differ" if strict else "note", findings=found)


def _random(result: Result, sides: Mapping[str, Results]) -> Result | None:
    """Take back what compares a side with one that gives another result each time; nothing if neither is so."""
    others = [key for key, side in sides.items() if key != result.runner and breaks(side, _REPEATED)]
    compared = [finding for finding in result.findings if finding.code in _COMPARED]
    if not (others and compared):
        return None
    return _without(
        result, compared, f"the {others[0]} side, which it is compared with, gives another result each time"
    )


def _without_digits(result: Result, pair: Pair, sides: Mapping[str, Results]) -> Result:
    """Take back what the measure itself explains: it has the digits of float32 in float64, and the side has all."""
    mine, theirs = sides[result.runner], sides.get(pair.reference or "", ())
    everyday = [f for r in mine if r.check in _EVERYDAY and r.status == "differ" for f in r.findings]
    narrow = _is_typed(theirs) or any(finding.lacks_digits("want") for finding in everyday)
    if result.dtype != "float64" or not narrow:
        return result
    compared = [f for f in result.findings if f.code in _COMPARED and (f.lacks_digits("want") or is_within(f, _NARROW))]
    if not compared:
        return result
    why = f"{compared[0].fields.get('truth') or pair.reference}, which it is compared with, computes in float32"
    return _without(result, compared, why)


def _without(result: Result, taken: Sequence[Finding], why: str) -> Result:
    """Return a result without findings that are taken back; no verdict where nothing is left."""
    rest = tuple(finding for finding in result.findings if finding not in taken)
    return replace(result, status="differ" if rest else "no verdict", note=why, findings=rest)


def _is_settled(pair: Pair) -> bool:
    """Whether somebody said what is right."""
    return pair.reference is not None or pair.like is not None


def _may_be_meant(result: Result, pair: Pair, sides: Mapping[str, Results]) -> bool:
    rounded = result.dtype == pair.widest and (result.check == _LARGE or result.dtype == _EXACT)
    little = rounded and _is_little(result.findings)
    # a bound, a width: where nothing else needs a gradient, a tape follows the forward
    numbers = all(finding.has(how=_NUMBERS) for finding in result.findings)
    convention = numbers or result.check == _EXTREMES or _at_shared_kinks(result, sides)
    conditioned = result.check == _SPECIAL and all(finding.fields.get("normwise") for finding in result.findings)
    if little or conditioned or result.runner == pair.reference or convention or _in_one_type(result, pair, sides):
        return True
    result = _beside_conventions(result, pair)
    if not result.findings:
        return True
    rounding = all(is_within(finding, unit_roundoff(result.dtype) ** 0.5) for finding in result.findings)
    if result.check in _GRAPHS or (rounding and result.check == _SPECIAL and not _is_settled(pair)):
        return rounding  # a compiler takes terms in another order; huge numbers make any formula lose digits
    shared = all(finding.fields.get("shared") for finding in result.findings)
    if (shared or result.dtype != pair.widest) and overflows(result):  # as the other one does
        plain = {key: [_beside_conventions(r, pair) for r in side] for key, side in sides.items()}
        return overflow_together(result, plain)
    if result.check in {_LINEAR, SECOND}:
        return _do_the_same(result, pair, sides)
    return result.check == DERIVATIVE and not _declared(pair) and not _alone_told(result.runner, sides)


def _in_one_type(result: Result, pair: Pair, sides: Mapping[str, Results]) -> bool:
    """Whether only types differ, nobody said them, and all sides cast to the same one, as a port's source does."""
    if pair.inputs or len(sides) < 2 or not all(f.code in _OF_TYPES and is_of_type(result, f) for f in result.findings):
        return False
    same = [[r for r in side if (r.check, r.dtype) == (result.check, result.dtype)] for side in sides.values()]
    cast = [
        {f.key for r in side for f in r.findings if f.code == "dtype_differs" and f.has(quantity="value")}
        for side in same
    ]
    return bool(cast[0]) and all(those == cast[0] for those in cast)


def _is_little(findings: Sequence[Finding]) -> bool:
    """Whether all is off by a few times what is allowed: so much do libraries and their solvers lose, each its own."""
    return all(finding.worst is not None and finding.worst.ratio < _LITTLE for finding in findings)


def _beside_conventions(result: Result, pair: Pair) -> Result:
    """Return a result without what its check finds where only a convention differs: the rest is judged as elsewhere."""
    meant = _CONVENTIONS.get(result.check, frozenset())
    if _is_settled(pair):  # what hides a NaN that the reference has is no port of it
        meant = meant - {"nan_hidden"}
    return replace(result, findings=tuple(finding for finding in result.findings if finding.code not in meant))


def _at_shared_kinks(result: Result, sides: Mapping[str, Results]) -> bool:
    """Whether no gradient is finite on any side, at a kink or of a surrogate: there is no true one."""
    if result.check != _FINITE or len(sides) < 2:
        return False
    theirs = [{f.key for r in side if r.check == _FINITE for f in r.findings} for side in sides.values()]
    shared = set[Any].intersection(*theirs)
    surrogates = all(differs(side, DERIVATIVE) for side in sides.values())
    return all((f.fields.get("kink") or surrogates) and f.key in shared for f in result.findings)


def _do_the_same(result: Result, pair: Pair, sides: Mapping[str, Results]) -> bool:
    """Whether both clip the cotangent, say, or one masks it by its sign, or both have the same second derivative."""
    if result.check == SECOND:
        return all(map(is_shared, result.findings)) or second_as_the_others(result, sides)
    masked = not _is_settled(pair) and not breaks(sides[result.runner], _LINEAR)
    return masked or all(differs(side, _LINEAR) for side in sides.values())


def _between(result: Result, pair: Pair, sides: Mapping[str, Results]) -> Result:
    """Judge what one side of two is accused of, where nobody said which one is right."""
    if not (_disputed(result, sides[result.runner]) or (result.check == DERIVATIVE and not _declared(pair))):
        return result
    compared = [f for f in result.findings if f.code in _COMPARED]
    if not compared:  # it raises, say: that is its own
        return result
    other = next(key for key in sides if key != result.runner)
    laws = (*LAWS, DERIVATIVE) if _declared(pair) else LAWS
    broken, mine = ([law for law in laws if breaks(sides[key], law)] for key in (other, result.runner))
    gradients = [f for f in compared if f.fields.get("quantity") == "gradient"]
    unlike = _misshapen(sides[other], result.check) and not _misshapen(sides[result.runner], result.check)
    if gradients and unlike and not differs(sides[result.runner], "vjp"):
        why = f"the {other} side, which it is compared with, has a fault of its own: a gradient of another shape"
        left = _without(result, gradients, why)
        return replace(left, findings=_disputed_findings(left.findings))
    faults = broken if broken and not mine else _faults(compared, sides[other], theirs=True)
    if faults and result.check != DERIVATIVE:  # that compares a side with its own forward
        why = f"the {other} side, which it is compared with, has a fault of its own: {', '.join(faults)}"
        return replace(result, status="no verdict", note=why, findings=())
    said = _declared(pair) and DERIVATIVE in mine and has(sides[other], DERIVATIVE, "agree")  # of which it is, and the
    if (said and gradients == compared) or _faults(compared, sides[result.runner], theirs=False):  # other one's is
        return result
    return replace(result, findings=_disputed_findings(result.findings))


def _disputed_findings(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return findings as disagreements where they compare two sides of which nobody knows who is right.

    The shape of a gradient is that of its input, whatever the other side has.
    """
    return tuple(
        replace(f, kind="disagreement") if f.code in _COMPARED and not _is_misshapen(f) else f for f in findings
    )


def _faults(compared: Sequence[Finding], side: Results, *, theirs: bool) -> list[str]:
    """Return what is wrong with a side by itself, if it explains all of these findings."""
    which = "want" if theirs else "got"
    own = [f for r in side if r.check in _EVERYDAY for f in r.findings]
    typed = _is_typed(side)
    narrow = typed or any(f.lacks_digits("got") for f in own)
    explained = [
        f.lacks_digits(which) or (narrow and is_within(f, _NARROW)) or (typed and theirs and f.has(quantity="second"))
        for f in compared
    ]
    if all(explained):
        if typed:
            return ["it gives an output or a gradient in float32"]
        single = any(f.fields.get("single") == who for who, of in ((which, compared), ("got", own)) for f in of)
        return ["it computes in float32" if single else f"{_digits(compared)}its numbers jump by as much as is off"]
    numbers = [getattr(f.worst, which) if f.worst else 0.0 for f in compared]
    return [_FINITE] if differs(side, _FINITE) and not np.isfinite(numbers).any() else []


def _is_typed(side: Results) -> bool:
    """Whether a side gives an output or a gradient in float32 where it is asked in float64."""
    return any(f.has(got_dtype="float32") for r in side if r.dtype == "float64" for f in r.findings)


def _digits(compared: Sequence[Finding]) -> str:
    """Return where the numbers jump, and that they are those of float32 if what is off says so."""
    few = any(is_within(f, _NARROW) and not is_within(f, _LESS) for f in compared)
    return f"{'it has no more digits than float32: ' if few else ''}beside these inputs "


def _misshapen(side: Results, check: str) -> bool:
    """Whether a check, or the everyday one, found a gradient of another shape than its input."""
    wrong = [f for r in side if r.check in {check, "vjp"} and r.status == "differ" for f in r.findings]
    return any(f.code == "raw_shape" or _is_misshapen(f) for f in wrong)


def _is_misshapen(finding: Finding) -> bool:
    """Whether a gradient has another shape than its input."""
    return finding.code == "shape_differs" and finding.has(quantity="gradient")


def _declared(pair: Pair) -> bool:
    return pair.surrogate_of is not None or pair.contract.gradient_of is not None


def _alone_told(runner: str, sides: Mapping[str, Results]) -> bool:
    """Whether there is nothing else to compare, as with random numbers, and the other side keeps the law."""
    mine, others = sides[runner], [side for key, side in sides.items() if key != runner]
    other = others[0] if others else []
    compared = any(has(mine, check, "agree") or differs(mine, check) for check in _EVERYDAY)
    return not compared and has(other, DERIVATIVE, "agree") and not differs(other, DERIVATIVE)


def _disputed(result: Result, mine: Results) -> bool:
    """Whether a result rests on who is right; not if the side differs from itself, in another type or in a use."""
    if result.check in _ALONE or not any(finding.code in _COMPARED for finding in result.findings):
        return False
    if result.check in _USES:
        return any(differs(mine, check) for check in _EVERYDAY) or not has(mine, "vjp", "agree")
    widest = max((r.dtype for r in mine if r.status != "no verdict"), key=FLOATS.index)
    others = [r for r in mine if r.dtype == widest and r.check not in _ALONE | _USES and r.status == "differ"]
    return any(finding.code in _COMPARED for r in others for finding in r.findings)
