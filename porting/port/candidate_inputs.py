"""Candidate inputs for a function whose signature tells little more than argument names."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from porting.dtypes import FLOATS
from porting.pairs.array import COMPLEX, Array, array
from porting.translate.abstract_value import Sort
from porting.translate.argument import AXES, Argument

_COMPLEX_WORDS: Final = re.compile(r"complex|\b(real|imag|conj|angle)\b")
_FLAGS: Final = ("inplace", "is_", "use_", "return_", "training", "train", "keepdim", "reverse")
_SHAPES: Final = 3  # of the attempts that are made in single precision too
_VARIANTS: Final = 8  # other ways to call one function that are tried
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
        Whether its inputs are of single precision alone, which is all that some code takes.
    """

    inputs: dict[str, Array]
    statics: dict[str, Any]
    single: bool = False


class _Choice(NamedTuple):
    """What one argument may be: an array of a type, a static with a value, or left to its default."""

    given_as: str
    value: Any = None


def attempts(
    arguments: Sequence[Argument], inputs: Mapping[str, Array], statics: Mapping[str, Any], text: str = ""
) -> list[Attempt]:
    """Return what to try, the likeliest first.

    Parameters
    ----------
    arguments : sequence of Argument
        The arguments of the function.
    inputs, statics : mapping
        The inputs and statics that are already known.
    text : str
        The translation: where it speaks of complex numbers, these are tried last.
    """
    numbers = [a for a in arguments if not (a.differentiated or a.default or a.name in {*inputs, *statics})]
    places = {a.name: place for place, a in enumerate(numbers)}
    choices = [_choices(argument, inputs, statics, places.get(argument.name, 0)) for argument in arguments]
    depth = max((len(of) for of in choices), default=1)
    found: list[Attempt] = []
    for shapes in _shapes(arguments):
        for k in range(depth):  # every unknown argument a number, then a whole one, then an array
            attempt = Attempt({}, {})
            for argument, of in zip(arguments, choices, strict=True):
                _enter(attempt, argument.name, of[min(k, len(of) - 1)], shapes, inputs)
            if any(given.dtype in FLOATS for given in attempt.inputs.values()) and attempt not in found:
                found.append(attempt)
    complex_too = found[:1] if _COMPLEX_WORDS.search(text) else []
    with_complex = [_with_complex(one, dtype, inputs) for one in complex_too for dtype in COMPLEX]
    return [*found, *map(_in_single, found[:_SHAPES]), *with_complex]


def variants(attempt: Attempt, arguments: Sequence[Argument], given: Collection[str]) -> list[tuple[str, Attempt]]:
    """Return other ways to call a function than one that was tried, each with its name.

    Parameters
    ----------
    attempt : Attempt
        What was tried.
    arguments : sequence of Argument
        The arguments of the function: one with a gradient may be left out if it has a default, a static may be another.
    given : collection of str
        What the user has said stays as it is.
    """
    found = []
    for argument in arguments:
        name = argument.name
        if name in given:
            continue
        for attribute, values in _of_fields(argument).items():
            called = argument.settings[attribute]
            other = [value for value in values if value != attempt.statics.get(called, value)]
            found += [(f"with {called}={v!r}", replace(attempt, statics={**attempt.statics, called: v})) for v in other]
        if argument.default and name in attempt.inputs and len(attempt.inputs) > 1:
            rest = {n: described for n, described in attempt.inputs.items() if n != name}
            found.append((f"without {name}", replace(attempt, inputs=rest)))
        if argument.differentiated and argument.default and name not in {*attempt.inputs, *attempt.statics}:
            found += [(f"with {name}", replace(attempt, inputs=one)) for one in _given_too(attempt.inputs, name)]
        elif name not in attempt.inputs:
            other = [value for value in argument.otherwise if value != attempt.statics.get(name, ...)]
            found += [(f"with {name}={v!r}", replace(attempt, statics={**attempt.statics, name: v})) for v in other]
    return found[:_VARIANTS]


def _given_too(inputs: Mapping[str, Array], name: str) -> Iterator[dict[str, Array]]:
    """Yield inputs with one more, which may be left out: of any shape, a bias of a matrix, or one beside two."""
    yield {**inputs, name: array()}
    shapes = {1: [[("n", "k"), ("k",)]], 2: [[("n", "k"), ("m", "k"), ("m",)], [("n", "k"), ("k", "m"), ("m",)]]}
    for each in shapes.get(len(inputs), []):
        yield dict(zip((*inputs, name), map(array, each), strict=True))


def _with_complex(attempt: Attempt, dtype: str, known: Collection[str]) -> Attempt:
    """Return an attempt whose real inputs are complex numbers."""
    inputs = {
        name: array(given.shape, dtype=dtype) if given.dtype in FLOATS and name not in known else given
        for name, given in attempt.inputs.items()
    }
    return Attempt(inputs, attempt.statics)


def _in_single(attempt: Attempt) -> Attempt:
    """Return an attempt in single precision, which is all that some code takes: ``tf.cast(x > 0, tf.float32) * x``."""
    inputs = {
        name: array(given.shape, dtype="float32", domain=given.domain) if given.dtype == "float64" else given
        for name, given in attempt.inputs.items()
    }
    return Attempt(inputs, attempt.statics, single=True)


def _choices(argument: Argument, inputs: Mapping[str, Array], statics: Mapping[str, Any], place: int) -> list[_Choice]:
    if argument.name in statics:
        return [_Choice("static", statics[argument.name])]
    if argument.name in inputs or argument.differentiated:
        return [_Choice("array", "float64")]
    if argument.fields:
        first = {argument.settings[name]: values[0] for name, values in _of_fields(argument).items()}
        return [_Choice("object", first)]
    if argument.default:
        return [_Choice("default"), *(_Choice("static", value) for value in _instead_of_default(argument))]
    if argument.kind.tensor:
        whole = [_Choice("array", "int64")]
        return whole if argument.kind.number in {"int", "bool"} else [_Choice("array", "float64"), *whole]
    arrays = [_Choice("array", "float64"), _Choice("array", "int64")] if argument.kind.sort is Sort.UNKNOWN else []
    return [*(_Choice("static", value) for value in _statics(argument, place)), *arrays]


def _of_fields(argument: Argument) -> dict[str, list[Any]]:
    """Return what each attribute of an object may be: what it is compared with, then a number of its own."""
    return {name: [*known, 1 - 0.5 ** (k + 1)] for k, (name, known) in enumerate(argument.fields.items())}


def _instead_of_default(argument: Argument) -> list[Any]:
    """Return what an argument may be that may be left out, where that is refused: the same number, or any for None.

    TensorFlow wants a gradient for each argument that it is given: some have one more, and raise where it is left out.
    """
    if argument.left_out is not None:
        return [argument.left_out]
    return [0.5, 2] if argument.absent and not argument.kind.tensor else []


def _statics(argument: Argument, place: int) -> list[Any]:
    """Return values for a static: a text that it is compared with, or numbers.

    Each place has another number, as ``clamp(x, 0.5, 0.5)`` proves nothing.
    """
    if texts := [value for value in argument.otherwise if isinstance(value, str)]:
        return texts[:1]
    part, whole = 1 - 0.5 ** (place + 1), 2 + place
    if argument.name in AXES:
        return [-1]
    if argument.kind.number == "bool" or argument.name.startswith(_FLAGS):
        return [False]
    return [whole] if argument.kind.number == "int" else [part] if argument.kind.number == "float" else [part, whole]


def _shapes(arguments: Sequence[Argument]) -> Iterator[dict[str, tuple[Any, ...]]]:
    """Yield lengths of axes: any, one square matrix each or several, a vector last, one number behind the first."""
    names = [a.name for a in arguments if a.differentiated]
    yield {}
    yield dict.fromkeys((a.name for a in arguments), ("n", "n"))
    if len(names) > 1:
        yield dict.fromkeys(names[:-1], ("n", "n")) | {names[-1]: ("n",)}
        yield dict.fromkeys(names[1:], (1,))
    yield dict.fromkeys((a.name for a in arguments), ("b", "n", "n"))


def _enter(
    attempt: Attempt, name: str, choice: _Choice, shapes: Mapping[str, tuple[Any, ...]], known: Mapping[str, Array]
) -> None:
    if name in known:
        attempt.inputs[name] = known[name]
    elif choice.given_as == "object":
        attempt.statics.update(choice.value)
    elif choice.given_as == "static":
        attempt.statics[name] = choice.value
    elif choice.given_as == "array":
        shape = shapes.get(name, (...,))
        whole = choice.value == "int64"
        attempt.inputs[name] = array(shape, dtype="int64", domain=_WHOLE) if whole else array(shape)
