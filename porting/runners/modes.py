"""The modes of a framework: ways to run an op in which its own gradient may be lost, one file for each in a folder."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

# The stage of an exception that says why a mode cannot be had; see `NotPossibleError`.
STAGE = "mode"


class NotPossibleError(Exception):
    """A mode cannot be had on this platform, with this version or for this op; the message says why."""


def names_in(folder: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the modes whose files are in a package's folder, without importing them."""
    return tuple(sorted(found.name.strip("_").replace("_", "-") for found in pkgutil.iter_modules(list(folder))))


def answer_of(package: str, name: str) -> Callable[[Any], Any]:
    """Return the function ``answer`` of a mode's file; a name that Python keeps for itself ends with ``_`` there."""
    module = name.replace("-", "_")
    if module == "while":
        module += "_"
    found: Callable[[Any], Any] = import_module(f"{package}.{module}").answer
    return found
