"""What a cause was seen for and nobody said: then it is a fault only if that is meant."""

from collections.abc import Collection, Sequence
from typing import Final

from porting.pairs.pair import Pair
from porting.parity.finding import Diagnosis, Result
from porting.parity.sides import is_settled

# What asks with inputs of several shapes, or numbers.
_OF_SHAPES: Final = frozenset({"value", "vjp", "shapes", "special_values", "layouts", "adjoint", "linear", "large"})
_OF_NUMBERS: Final = _OF_SHAPES | {"coincidences", "finite", "kinks", "second_order", "whole_range"}
_EVERYDAY: Final = frozenset({"value", "vjp"})
_BROADCAST: Final = "broadcast"  # which a contract asks for, and of two sides only what one of them does
# Of two sides the one that clips its cotangent, or leaves it out, may do so on purpose, and the other one may not.
_OF_THE_COTANGENT: Final = frozenset({"not_linear", "ignores_cotangent"})
ANYTHING: Final = "arrays of any shape and number are"
_OF_EXCEPTIONS: Final = frozenset({"raises_in_forward", "raises_in_backward"})


def assumed(cause: Diagnosis, pair: Pair | None, guessed: Collection[str], final: Sequence[Result]) -> str:
    """Return what nobody said, as `Diagnosis.meant` has it: guessed inputs, rare shapes, any numbers, linearity.

    Parameters
    ----------
    cause : Diagnosis
        What was found.
    pair : Pair, optional
        Whose side it is of; an op of the catalogue says what it takes.
    guessed : collection of str
        The names of the pairs whose inputs were guessed.
    final : sequence of Result
        Of all ops.
    """
    if pair is None or pair.in_catalogue or pair.oracle is not None:
        return ""
    if said := _of_itself(cause, pair, final):
        return said
    if pair.name in guessed:
        return "the guessed inputs are"
    if not is_settled(pair) and (said := _of_two_sides(cause, pair)):
        return said
    drawn = [r for r in final if r.op == pair.name and r.check in _EVERYDAY]
    if any(r.undefined for r in drawn) and not pair.inputs and _OF_NUMBERS & {*cause.explains}:
        return "numbers of any sign and size are"
    raises = cause.cause in _OF_EXCEPTIONS and bool(_OF_SHAPES & {*cause.explains})  # it may be made for others
    rare = raises or {*cause.explains} == {"shapes"}
    return ANYTHING if rare and not (pair.inputs or pair.contract.shapes) else cause.meant


def _of_itself(cause: Diagnosis, pair: Pair, final: Sequence[Result]) -> str:
    """Return what a type is wrong for, and a gradient that is not its forward's."""
    if cause.cause == "wrong_dtype":
        return _of_a_type(cause, pair, final)
    wrong = cause.cause == "forward_gradient_disagree" and is_settled(pair) and _is_no_derivative_either(cause, final)
    return "the derivative of the forward is" if wrong else ""


def _is_no_derivative_either(cause: Diagnosis, final: Sequence[Result]) -> bool:
    """Whether the gradient of the side that is right is not that of its forward: then nobody derives it again."""
    others = [r for r in final if r.op == cause.op and r.side != cause.side and r.check == "adjoint"]
    return any(f.code == "not_its_derivative" for r in others for f in r.findings)


def _of_two_sides(cause: Diagnosis, pair: Pair) -> str:
    """Return what one of two sides does, where nobody said which one is right."""
    if {*cause.explains} == {_BROADCAST}:
        return "inputs of several shapes, which are broadcast, are"
    clips = cause.cause in _OF_THE_COTANGENT and not cause.provided and len(pair.compared) > 1
    return "a gradient that is linear in the cotangent is" if clips else ""


def _of_a_type(cause: Diagnosis, pair: Pair, final: Sequence[Result]) -> str:
    """Return what a type is wrong for: code may be used in one type alone, and other code for complex numbers."""
    if not is_settled(pair) and _is_narrower(cause, final):
        return "an output in the type of its input is"
    codes = [f for r in final if r.side == cause.side for f in r.findings if f.code == "dtype_differs"]
    real = any(f.fields["got_dtype"].startswith("complex") and f.has(quantity="gradient") for f in codes)
    return "real numbers are" if real and not pair.inputs else ""


def _is_narrower(cause: Diagnosis, final: Sequence[Result]) -> bool:
    """Whether a side gives an output in a narrower type than its input's, as code does that is used in one type."""
    mine = [f for r in final if r.side == cause.side for f in r.findings]
    return any(f.has(rounded=True) or (f.code == "dtype_differs" and f.has(quantity="value")) for f in mine)
