"""Who is wrong where two sides differ and there is no oracle: often nobody can tell."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from porting.pairs.pair import Pair
from porting.parity.between import between, disputed_findings
from porting.parity.checks import checks
from porting.parity.finding import Result
from porting.parity.meant import beside_conventions, in_its_own_type, may_be_meant
from porting.parity.shared_second import marked
from porting.parity.sides import Results, is_settled
from porting.parity.taken_back import taken_back, without_digits

_REPAIRED: Final = "raw_repaired"
_OWN_TYPE: Final = (
    "its output is {dtype}, whatever its inputs are, and so are its digits: {dtype} is the type to compare it in"
)
_UNREFUSED: Final = "not_refused_twice"  # somebody said that it is not promised: few strangers' functions refuse it
_OF_FORWARD: Final = "jvp_of_forward"  # right by itself: the gradient is a surrogate, which has a note of its own


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
        promise and that is not refused either, or that is refused on purpose where no oracle promises it, that a
        gradient is not the derivative of its own forward where nobody said that it is, that both sides break linearity,
        overflow in a narrow type, are not finite at a kink or have the same second derivative of a surrogate, that a
        forward draws random numbers, that
        forward mode is the derivative of a forward whose gradient is none, that an input without a gradient gets one
        when nothing else needs one, that both answer in one type, which is not the one asked in, that one overflows at
        the ends of the range, takes inputs of fewer ranks or lets a NaN through, and what is true of most gradients as
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
    if _says_only(result, _UNREFUSED) and pair.oracle is None:
        return replace(result, status="not applicable", note="order=1 says that nobody needs it", findings=())
    return result


def _says_only(result: Result, code: str) -> bool:
    return {finding.code for finding in result.findings} == {code}


def _judged(result: Result, pair: Pair, sides: Mapping[str, Results], *, strict: bool) -> Result:
    if result.status != "differ" or result.runner not in sides:
        return result
    two = pair.oracle is None and (len(sides) > 1 or pair.like is not None)
    if two and (taken := taken_back(result, sides)):
        if taken.status != "differ":
            return taken
        result = taken  # what is left is judged as elsewhere: rounding under XLA, say
    if two and not strict and (dtype := in_its_own_type(result, pair, sides)):
        return replace(result, status="no verdict", note=_OWN_TYPE.format(dtype=dtype), findings=())
    if noted := _noted(result, pair, sides, two=two, strict=strict):
        return noted
    if not two:
        return result
    result = result if strict else beside_conventions(result, pair)  # a note where nothing else is found
    return without_digits(result, pair, sides) if is_settled(pair) else between(result, pair, sides)


def _noted(result: Result, pair: Pair, sides: Mapping[str, Results], *, two: bool, strict: bool) -> Result | None:
    """Return a result as what may be meant so; nothing if it may not."""
    meant = checks()[result.check].note or _says_only(result, _UNREFUSED) or _says_only(result, _OF_FORWARD)
    refused = bool(result.findings) and all(finding.has(on_purpose=True) for finding in result.findings)
    drawn = bool(result.findings) and all(finding.has(drawn=True) for finding in result.findings)
    meant = meant or ((refused or drawn) and pair.oracle is None)
    # beside a plain version nothing is ported: who casts a gradient, or sums it, is the framework that it stays in
    meant = meant or (pair.like is not None and len(pair.compared) == 1 and _says_only(result, _REPAIRED))
    if not (meant or (two and may_be_meant(result, pair, sides))):
        return None
    found = marked(result, sides) if two else result.findings
    found = disputed_findings(found) if two and not is_settled(pair) else found
    return replace(result, status="differ" if strict else "note", findings=found)
