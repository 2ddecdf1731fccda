"""Inputs and statics as they are written on a command line: ``x=float64[3,4]{-3..3}``, ``axis=-1``."""

import ast
import re
from math import isfinite
from typing import Any, Final

from porting.errors import PairError
from porting.pairs.array import INTEGERS, Array, array

_FORM: Final = re.compile(
    r"(?P<name>[^\W\d]\w*)=(?P<dtype>\w+)(?:\[(?P<shape>[^\]]*)\])?(?:\{(?P<low>[^}]+?)\.\.(?P<high>[^}]+)\})?"
)
_DIGITS: Final = 9  # of a length: an axis longer than that fits into no memory
_WANTED: Final = (
    "NAME=DTYPE[SHAPE] or NAME=DTYPE[SHAPE]{LOW..HIGH} is wanted, as in x=float64[3,4] or labels=int64[n]{0..4}"
)


def parse_input(text: str) -> tuple[str, Array]:
    """Return the name and the description of an input.

    Parameters
    ----------
    text : str
        ``x=float64[3,4]``, ``x=float32[...,n]{-3..3}``, ``labels=int64[3]{0..4}`` (both ends included), ``x=float64``
        (any shape).

    Raises
    ------
    PairError
        If it has another form.
    """
    found = _FORM.fullmatch(text.replace(" ", ""))
    if found is None:
        raise PairError(f"--input {text}: {_WANTED}")
    dtype, shape = found["dtype"], found["shape"]
    parts = shape.removesuffix(",").split(",") if shape else []
    lengths = tuple(_length(part, text) for part in parts) if shape is not None else (...,)
    domain: Any = None
    if found["low"] is not None:
        low, high = (_number(part, dtype, text) for part in (found["low"], found["high"]))
        if not (low < high and (isinstance(low, int) or isfinite(high - low))):
            raise PairError(f"--input {text}: from {found['low']} to {found['high']} is no range")
        domain = range(int(low), int(high) + 1) if dtype in INTEGERS else (low, high)
    try:
        return found["name"], array(lengths, dtype=dtype, domain=domain)
    except PairError as error:
        if dtype in INTEGERS and domain is None:
            example = f"{found['name']}={dtype}[{shape or '...'}]{{0..4}}"
            raise PairError(f"--input {text}: which integers? As in {example}") from None
        raise PairError(f"--input {text}: {error}") from None


def parse_static(text: str) -> tuple[str, Any]:
    """Return the name and the value of a static: a Python literal, or else the text itself.

    Raises
    ------
    PairError
        If there is no ``=``.
    """
    name, equals, value = text.partition("=")
    if not equals or not name.strip().isidentifier():
        raise PairError(f"--static {text}: NAME=VALUE is wanted, as in axis=-1")
    try:
        return name.strip(), ast.literal_eval(value.strip())
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return name.strip(), value.strip()


def _length(part: str, text: str) -> Any:
    if part == "...":
        return ...
    if part.isdecimal() and len(part) <= _DIGITS:
        return int(part)
    if part.isidentifier():
        return part
    raise PairError(f"--input {text}: {part!r} is no length; {_WANTED}")


def _number(part: str, dtype: str, text: str) -> float:
    try:
        return int(part) if dtype in INTEGERS else float(part)
    except ValueError:
        kind = "whole number" if dtype in INTEGERS else "number"
        raise PairError(f"--input {text}: {part!r} is no {kind}; {_WANTED}") from None
