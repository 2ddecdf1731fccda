"""Reads the settings of the process that an op must not change, and puts them back."""

from __future__ import annotations

import os
import random
import sys
import threading
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from porting.runners.base import Case


def process_state() -> dict[str, Any]:
    """Return the settings of the process itself: seeds, warnings, folder, environment, threads."""
    return {
        "Python's random state": random.getstate(),
        "NumPy's random state": _seed(),
        "NumPy's error settings": tuple(np.geterr().items()),
        "the working folder": _folder(),
        "the environment variables": _environment(),
        "the recursion limit": sys.getrecursionlimit(),
        "the module search path": tuple(sys.path),
        "the standard streams": (sys.stdin, sys.stdout, sys.stderr),
        "the warning filters": tuple(warnings.filters),
        "the number of threads": threading.active_count(),
    }


def _seed() -> tuple[Any, ...]:
    kind, keys, *rest = np.random.get_state()  # noqa: NPY002 - the legacy generator is what is asked about
    return (kind, keys.tobytes(), *rest)  # type: ignore[attr-defined]  # a tuple of five


def _folder() -> str:
    try:
        return os.getcwd()  # noqa: PTH109 - a path object takes eight times as long, after each check
    except OSError:
        return "(deleted)"


def _environment() -> dict[Any, Any]:
    """Return a copy of the environment as it is stored; to decode it took a third of the time of putting back."""
    return dict(os.environ._data)  # type: ignore[attr-defined]  # noqa: SLF001 - as above


def changed_settings(runner: Any, case: Case) -> tuple[str, ...]:
    """Return the settings that a second run of a case changes; the first run may set something up once."""
    before = runner.state()
    runner.run(case)
    runner.restore(before)
    random.random(), np.random.random()  # noqa: NPY002, S311 - what is seeded as it was seeded shows nothing
    before = runner.state()
    runner.run(case)
    after = runner.state()
    return tuple(name for name, value in before.items() if after[name] != value)


def restore_process(state: Mapping[str, Any]) -> None:
    """Put back the settings of the process; a thread that is still running cannot be undone."""
    random.setstate(state["Python's random state"])
    if state["NumPy's random state"] != _seed():
        kind, keys, *rest = state["NumPy's random state"]
        np.random.set_state((kind, np.frombuffer(keys, np.uint32), *rest))  # noqa: NPY002 - as above
    np.seterr(**dict(state["NumPy's error settings"]))
    sys.setrecursionlimit(state["the recursion limit"])
    sys.path[:] = state["the module search path"]
    sys.stdin, sys.stdout, sys.stderr = state["the standard streams"]
    if state["the warning filters"] != tuple(warnings.filters):
        warnings.resetwarnings()
        warnings.filters[:] = state["the warning filters"]  # type: ignore[index]  # a list, whatever typeshed says
    if _folder() != state["the working folder"]:
        os.chdir(state["the working folder"])
    before = state["the environment variables"]
    if _environment() != before:
        stored = getattr(os, "environb", os.environ)  # the same, as bytes where the system has bytes
        for name in set(stored) - set(before):
            del stored[name]
        stored.update(before)
