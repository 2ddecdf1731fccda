"""A contract as JSON has it: to be compared with today's, and made again from."""

import builtins
from collections.abc import Mapping
from dataclasses import fields
from importlib import import_module
from typing import Any

from porting.contract import Contract, Unstated
from porting.errors import PairError


def written(contract: Contract) -> dict[str, Any]:
    """Return the fields that are not the default, in plain values; a function is its name."""
    default = Contract()
    given = {f.name: getattr(contract, f.name) for f in fields(Contract)}
    return {name: _plain(value) for name, value in given.items() if value != getattr(default, name)}


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if value is ...:
        return {"...": None}
    if isinstance(value, range):
        return {"range": [value.start, value.stop, value.step]}
    if isinstance(value, Unstated):
        return {"unstated": value.reason}
    if isinstance(value, Mapping):
        return {"by name": {name: _plain(part) for name, part in value.items()}}
    if isinstance(value, tuple | list):
        return [_plain(part) for part in value]
    if callable(value):
        return {"named": f"{value.__module__}:{getattr(value, '__qualname__', type(value).__name__)}"}
    return {"text": repr(value)}


def read(plain: Mapping[str, Any]) -> Contract:
    """Return the contract that was written.

    Raises
    ------
    PairError
        If a function in it cannot be found by its name.
    """
    return Contract(**{name: _value(value) for name, value in plain.items()})


def _value(plain: Any) -> Any:
    if isinstance(plain, list):
        return tuple(_value(part) for part in plain)
    if not isinstance(plain, dict):
        return plain
    ((kind, content),) = plain.items()
    match kind:
        case "...":
            return ...
        case "range":
            return range(*content)
        case "unstated":
            return Unstated(content)
        case "by name":
            return {name: _value(part) for name, part in content.items()}
        case "named":
            return _named(content)
        case _:
            raise PairError(f"the recording's contract has {content}, which cannot be made again")


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
