"""Imports without garbage collection, as nearly all new objects stay; and of a module beside another one."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def uncollected() -> Iterator[None]:
    """Turn garbage collection off while frameworks are imported, or a function is traced.

    A collection looks at every object; collections take a fifth of the time that importing both frameworks takes.
    Nothing is frozen here: frozen objects of the user's program would never be collected.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def modes_of(module: str, whole: tuple[str, ...]) -> tuple[str, ...]:
    """Return the whole modes of a runner, then those of the folder ``modes`` beside its module.

    Another interpreter does not have the folder, see `porting.runners.bundle`.
    """
    try:
        names: tuple[str, ...] = beside(module, "modes").NAMES
    except ImportError:
        return whole
    return whole + names


def beside(module: str, name: str) -> Any:
    """Import a module by its name in the folder of another one; another interpreter may not have it."""
    return import_module("{}.{}".format(module.rpartition(".")[0], name))
