"""What is said of a pair on a command line: ``x=float64[3,4]{-3..3}``, ``axis=-1``, ``order=1``."""

import ast
import re
from dataclasses import replace
from math import isfinite
from typing import Any, Final

from porting.contract import Contract
from porting.errors import PairError
from porting.numeric.kinds import NAMES
from porting.pairs.array import DTYPES, INTEGERS, UNSAID, Array, array
from porting.pairs.referred import referred

_FORM: Final = re.compile(
    r"(?P<name>[^\W\d]\w*(?:\.\w+)?)=(?P<what>@[^\[]+|\w+(?: +[\d.]+)?)(?:\[(?P<shape>[^\]]*)\])?"
    r"(?:\{(?:(?P<low>[^}@]+?)\.\.(?P<high>[^}]+)|(?P<kind>[^}]+))\})?"
)
PROMISES: Final = {"linear": ("True", "False"), "order": ("1", "2"), "complex": ("True", "False")}
_DIGITS: Final = 9  # of a length: an axis longer than that fits into no memory
_WANTED: Final = (
    "NAME=DTYPE[SHAPE], NAME=KIND[SHAPE] or NAME=DTYPE[SHAPE]{LOW..HIGH} is wanted, as in x=float64[3,4], "
    "labels=int64[n]{0..4} or p=simplex[n,k]"
)


def parse_input(text: str) -> tuple[str, Array]:
    """Return the name and the description of an input.

    Parameters
    ----------
    text : str
        ``x=float64[3,4]``, ``x=float32[...,n]{-3..3}``, ``labels=int64[3]{0..4}`` (both ends included), ``x=float64``
        (any shape), ``p=simplex[n,k]``, ``mask=float64[n]{0,1}``, ``w=sparse 0.1[n,m]``, ``x=@cases.py:make``; for the
        kinds see `array`. ``xs.0=float64[n]`` is a part of an argument that is a list, ``state.h=float64[n]`` of a
        dictionary.

    Raises
    ------
    PairError
        If it has another form.
    """
    found = _FORM.fullmatch(_without_spaces(text))
    if found is None:
        raise PairError(f"--input {text}: {_WANTED}")
    dtype, kind, shape = found["what"], found["kind"] or "", found["shape"]
    if dtype not in DTYPES and (dtype.startswith("@") or dtype.partition(" ")[0] in (*NAMES, "sparse")):
        if found["low"] or kind:
            raise PairError(f"--input {text}: {dtype} says already which numbers it holds; leave {{...}} out")
        dtype, kind = "float64", dtype
    parts = shape.removesuffix(",").split(",") if shape else []
    lengths = tuple(_length(part, text) for part in parts) if shape is not None else (...,)
    domain: Any = None
    if found["low"] is not None:
        low, high = (_number(part, dtype, text) for part in (found["low"], found["high"]))
        whole = dtype in INTEGERS  # of one class, of one stride
        bounded = whole or isfinite(high - low) or isfinite(low) != isfinite(high)
        if not (low < high or (whole and low == high)) or not bounded:
            raise PairError(f"--input {text}: from {found['low']} to {found['high']} is no range")
        domain = range(int(low), int(high) + 1) if whole else (low, high)
    try:
        return found["name"], array(lengths, dtype=dtype, domain=domain, kind=kind)
    except PairError as error:
        if dtype in INTEGERS and domain is None:
            example = f"{found['name']}={dtype}[{shape or '...'}]{{0..4}}"
            raise PairError(f"--input {text}: which integers? As in {example}") from None
        raise PairError(f"--input {text}: {error}") from None


def parse_static(text: str) -> tuple[str, Any]:
    """Return the name and the value of a static: a Python literal, true or false, or else the text itself.

    ``@FILE.py:function`` is a function.

    Raises
    ------
    PairError, LoadError
        If there is no ``=``, or no such file.
    """
    name, equals, value = text.partition("=")
    if not equals or not name.strip().isidentifier():
        raise PairError(f"--static {text}: NAME=VALUE is wanted, as in axis=-1")
    _ensure_said(value, f"--static {text}")
    value = {"true": "True", "false": "False"}.get(value.strip(), value)
    if value.strip().startswith("@"):
        return name.strip(), referred(name.strip(), value.strip())
    try:
        return name.strip(), ast.literal_eval(value.strip())
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        if value.strip().startswith("{"):
            raise PairError(f"--static {text}: that is no dictionary of Python, as {{'bits': 4}} is one") from None
        return name.strip(), value.strip()


def written_static(value: Any) -> str:
    """Return the value of a static as one types it: a text without quotes, where it is read as that text."""
    return value if isinstance(value, str) and parse_static(f"x={value}")[1] == value else repr(value)


def parse_weights(text: str) -> tuple[str, str]:
    """Return the name of a parameter in PyTorch, and its name in TensorFlow.

    Raises
    ------
    PairError
        If the text is not ``torch:NAME=tf:NAME``.
    """
    parts = (part.strip().partition(":") for part in text.split("="))
    sides = {key: name for key, _, name in parts}
    if set(sides) != {"torch", "tf"} or not all(sides.values()):
        raise PairError(f"--weights {text}: torch:NAME=tf:NAME is wanted, as in torch:weight=tf:kernel")
    return sides["torch"], sides["tf"]


def parse_promise(text: str) -> tuple[str, Any]:
    """Return the name and the value of what a pair promises: ``linear=False``, ``order=1``, ``wrt=x,y``, ``nondiff=1``.

    Raises
    ------
    PairError
        If nothing of that name can be promised on a command line, or not with this value.
    """
    name, _, value = (part.strip() for part in text.partition("="))
    if name in PROMISES and value in PROMISES[name]:
        return name, ast.literal_eval(value)
    names = tuple(part.strip() for part in value.split(","))
    if name == "wrt" and all(part.isidentifier() for part in names):
        return name, names
    if name == "nondiff" and all(part.isdecimal() for part in names):
        return name, tuple(map(int, names))
    every = ", ".join(f"{name}={value}" for name, values in PROMISES.items() for value in values)
    raise PairError(
        f"--contract {text}: one of {every}, wrt=NAME,… or nondiff=1,… is wanted; more can be promised in Python"
    )


def written_promises(contract: Contract) -> list[str] | None:
    """Return what `parse_promise` reads this contract from; nothing if it promises more than that."""
    usual = Contract()
    said = {name: getattr(contract, name) for name in (*PROMISES, "wrt", "nondiff")}
    if replace(usual, **said) != contract:
        return None
    changed = {name: value for name, value in said.items() if value != getattr(usual, name)}
    return [f"{n}={','.join(map(str, v)) if isinstance(v, tuple) else v}" for n, v in changed.items()]


def _without_spaces(text: str) -> str:
    """Return the text without the spaces around its signs; those of a path and of ``sparse 0.1`` stay."""
    return re.sub(r"\s*([=\[\]{},])\s*", r"\1", text.strip())


def _length(part: str, text: str) -> Any:
    if part == "...":
        return ...
    if part.isdecimal() and len(part) <= _DIGITS:
        return int(part)
    if part.isidentifier():
        return part
    _ensure_said(part, f"--input {text}")
    raise PairError(f"--input {text}: {part!r} is no length; {_WANTED}")


def _ensure_said(part: str, text: str) -> None:
    """Refuse what is printed in the place of what nobody knows."""
    if part.strip() == UNSAID:
        raise PairError(f"{text}: say a length or a number of yours in the place of {UNSAID}")


def _number(part: str, dtype: str, text: str) -> float:
    _ensure_said(part, f"--input {text}")
    try:
        return int(part) if dtype in INTEGERS else float(part)
    except ValueError:
        kind = "whole number" if dtype in INTEGERS else "number"
        raise PairError(f"--input {text}: {part!r} is no {kind}; {_WANTED}") from None
