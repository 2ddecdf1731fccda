"""Which whole numbers an argument is, where an error asks for a type of them and the source says nothing."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from porting.errors import PortingError
from porting.pairs.array import INTEGERS, Array, array
from porting.pairs.candidates import with_whole
from porting.pairs.said_by_names import Description
from porting.pairs.suitable import Ops, answers_of, raised_by

_TYPES: Final = r"[^;:]*?\bu?int\d+\b[^;:]*?"
_ASKS: Final = "(?:expect(?:s|ed)|must be|requires?|wants?|takes?)"
# What a side says of real numbers: "Expected int8 or uint8, got float64".
_SAID: Final = re.compile(
    rf"(?i){_ASKS}({_TYPES})(?:got|found|not|but|instead of)\b.*?(?:float|double)"
    r"|(?:float|double|half) is not in the list of allowed values: ((?:u?int\d+,? ?)+)"
)
_NUMBERS: Final = range(5)


def type_wanted(said: str) -> str:
    """Return the type of whole numbers that an error asks for in the place of real ones; empty if it asks for none."""
    match = _SAID.search(said)
    named = re.findall(r"u?int\d+", match[1] or match[2]) if match else []
    known = [dtype for dtype in named if dtype in INTEGERS]
    return next((dtype for dtype in known if dtype == "int64"), known[0] if known else "")


def wholes_wanted(pair: Any, names: Sequence[str], said: str, ops: Ops) -> dict[str, str]:
    """Return the argument of which an error asks whole numbers, with their type: where it has them, no side asks.

    Parameters
    ----------
    pair : porting.Pair
        Of whose inputs nothing is said.
    names : sequence of str
        The inputs; the only one has to be real, else there is no gradient.
    said : str
        What a side says of arrays of any shape.
    ops : callable
        Given a pair, returns the op of each side and who answers for it.
    """
    dtype = type_wanted(said)
    for name in [*names[1:], names[0]] if dtype and len(names) > 1 else []:
        with suppress(PortingError):
            tried = replace(pair, inputs={n: whole_numbers(dtype) if n == name else array() for n in names})
            raised = [raised_by([outcome for _, outcome in answers_of(tried, *one)]) for one in ops(tried).values()]
            if not any(type_wanted(str(one)) for one in raised if one is not None):
                return {name: dtype}
    return {}


def whole_numbers(dtype: str, shape: tuple[Any, ...] = (...,)) -> Array:
    """Return an array of small whole numbers of a type."""
    return array(shape, dtype=dtype, domain=_NUMBERS)


def of_types(names: Sequence[str], types: Mapping[str, str]) -> Iterator[Description]:
    """Yield inputs of which some are whole numbers of a type: of the shape of the others, or of labels and places."""
    real = [n for n in names if n not in types]
    for shape in ((...,), ("n", "k")) if types else ():
        yield {n: whole_numbers(types[n], shape) if n in types else array(shape) for n in names}
    for described in with_whole(names, real) if types and real else ():
        yield {n: replace(a, dtype=types.get(n, a.dtype)) for n, a in described.items()}
