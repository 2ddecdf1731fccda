"""Writes a contract as JSON, so that it can be compared with today's contract, and reads it again."""

import builtins
from collections.abc import Mapping
from dataclasses import fields
from importlib import import_module
from typing import Any

from porting.contract import Contract, Unstated
from porting.errors import PairError


def written(contract: Contract) -> dict[str, Any]:
    """Return the fields that are not the default, as plain values; a function is written as its name."""
    default = Contract()
    given = {f.name: getattr(contract, f.name) for f in fields(Contract)}
    return {name: _plain(value) for name, value in given.items() if value != getattr(default, name)}


def _plain(value: Any) -> Any:
    plain: Any = value
    match value:
        case None | bool() | int() | float() | str():
            pass
        case tuple() | list():
            plain = [_plain(part) for part in value]
        case Mapping():
            plain = {"by name": {name: _plain(part) for name, part in value.items()}}
        case range():
            plain = {"range": [value.start, value.stop, value.step]}
        case Unstated():
            plain = {"unstated": value.reason}
        case _ if value is ...:
            plain = {"...": None}
        case _ if callable(value):
            plain = {"named": f"{value.__module__}:{getattr(value, '__qualname__', type(value).__name__)}"}
        case _:
            plain = {"text": repr(value)}
    return plain


def read(plain: Mapping[str, Any]) -> Contract:
    """Return the contract that was written.

    Raises
    ------
    PairError
        If a function in it cannot be found by its name.
    """
    return Contract(**{name: _value(value) for name, value in plain.items()})


def _value(plain: Any) -> Any:
    value = plain
    match plain:
        case list():
            value = tuple(_value(part) for part in plain)
        case {"...": _}:
            value = ...
        case {"range": ends}:
            value = range(*ends)
        case {"unstated": reason}:
            value = Unstated(reason)
        case {"by name": parts}:
            value = {name: _value(part) for name, part in parts.items()}
        case {"named": name}:
            value = _named(name)
        case {"text": text}:
            raise PairError(f"the recording's contract has {text}, which cannot be made again")
    return value


def _named(name: str) -> Any:
    module, _, path = name.partition(":")
    found: Any = builtins if module == "builtins" else None
    try:
        found = found or import_module(module)
        for part in path.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError):
        raise PairError(
            f"the recording's contract names the function {name}, which is not here: have its module on the search path"
        ) from None
    return found
