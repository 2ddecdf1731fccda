"""Candidate inputs for a function whose signature tells little more than argument names."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from porting.dtypes import FLOATS
from porting.pairs.array import Array, array
from porting.translate.abstract_value import Sort
from porting.translate.argument import Argument

_AXES: Final = {"dim", "axis", "dims", "axes"}
_FLAGS: Final = ("inplace", "is_", "use_", "return_", "training", "train", "keepdim", "reverse")
_SHAPES: Final = 3  # of the attempts that are made in single precision too
_WHOLE: Final = range(2)  # numbers that count as truth values, labels and places in an axis


@dataclass(frozen=True)
class Attempt:
    """Inputs and statics to try.

    Attributes
    ----------
    inputs : dict of str to Array
        In the order of the arguments.
    statics : dict of str to object
        The statics; an argument that is in neither keeps its default.
    single : bool
        Whether the source gets inputs in single precision, whatever type is checked.
    """

    inputs: dict[str, Array]
    statics: dict[str, Any]
    single: bool = False


class _Choice(NamedTuple):
    """What one argument may be: an array of a type, a static with a value, or left to its default."""

    given_as: str
    value: Any = None


def attempts(arguments: Sequence[Argument], inputs: Mapping[str, Array], statics: Mapping[str, Any]) -> list[Attempt]:
    """Return what to try, the likeliest first.

    Parameters
    ----------
    arguments : sequence of Argument
        The arguments of the function.
    inputs, statics : mapping
        The inputs and statics that are already known.
    """
    choices = [_choices(argument, inputs, statics) for argument in arguments]
    depth = max((len(of) for of in choices), default=1)
    found: list[Attempt] = []
    for shapes in _shapes(arguments):
        for k in range(depth):  # every unknown argument a number, then a whole one, then an array
            attempt = Attempt({}, {})
            for argument, of in zip(arguments, choices, strict=True):
                _enter(attempt, argument.name, of[min(k, len(of) - 1)], shapes, inputs)
            if any(given.dtype in FLOATS for given in attempt.inputs.values()) and attempt not in found:
                found.append(attempt)
    return [*found, *map(_in_single, found[:_SHAPES])]


def _in_single(attempt: Attempt) -> Attempt:
    """Return an attempt in single precision, which is all that some code takes: ``tf.cast(x > 0, tf.float32) * x``."""
    inputs = {
        name: array(given.shape, dtype="float32", domain=given.domain) if given.dtype == "float64" else given
        for name, given in attempt.inputs.items()
    }
    return Attempt(inputs, attempt.statics, single=True)


def _choices(argument: Argument, inputs: Mapping[str, Array], statics: Mapping[str, Any]) -> list[_Choice]:
    if argument.name in statics:
        return [_Choice("static", statics[argument.name])]
    if argument.name in inputs or argument.differentiated:
        return [_Choice("array", "float64")]
    if argument.default:
        return [_Choice("default")]
    if argument.kind.tensor:
        whole = [_Choice("array", "int64")]
        return whole if argument.kind.number in {"int", "bool"} else [_Choice("array", "float64"), *whole]
    arrays = [_Choice("array", "float64"), _Choice("array", "int64")] if argument.kind.sort is Sort.UNKNOWN else []
    return [*(_Choice("static", value) for value in _statics(argument)), *arrays]


def _statics(argument: Argument) -> list[Any]:
    if argument.name in _AXES:
        return [-1]
    if argument.kind.number == "bool" or argument.name.startswith(_FLAGS):
        return [False]
    return [2] if argument.kind.number == "int" else [0.5] if argument.kind.number == "float" else [0.5, 2]


def _shapes(arguments: Sequence[Argument]) -> Iterator[dict[str, tuple[Any, ...]]]:
    """Yield lengths of axes: any, one square matrix each, a vector last."""
    names = [a.name for a in arguments if a.differentiated]
    yield {}
    yield dict.fromkeys((a.name for a in arguments), ("n", "n"))
    if len(names) > 1:
        yield dict.fromkeys(names[:-1], ("n", "n")) | {names[-1]: ("n",)}


def _enter(
    attempt: Attempt, name: str, choice: _Choice, shapes: Mapping[str, tuple[Any, ...]], known: Mapping[str, Array]
) -> None:
    if name in known:
        attempt.inputs[name] = known[name]
    elif choice.given_as == "static":
        attempt.statics[name] = choice.value
    elif choice.given_as == "array":
        shape = shapes.get(name, (...,))
        whole = choice.value == "int64"
        attempt.inputs[name] = array(shape, dtype="int64", domain=_WHOLE) if whole else array(shape)
