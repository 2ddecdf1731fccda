"""The checks, one property per file; a file here is found by itself, there is no list to edit."""

import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Final

from porting.backends import BACKENDS, Ability, having
from porting.parity.probe import NotApplicableError as NotApplicableError
from porting.parity.probe import Probe

TWINS: Final = tuple(BACKENDS)
ALL: Final = ("oracle", *TWINS)


@dataclass(frozen=True)
class Check:
    """A property: what it is called, which runners have it, what it says in one line, and how to test it.

    `once` says that it does not depend on the type: it is tested in the widest of the asked ones alone. `note` says
    that most gradients as people write them lack it: of a pair it is told, and is no fault. `graph` says that it asks
    in a graph, in whatever mode it runs.
    """

    name: str
    runners: tuple[str, ...]
    about: str
    run: Callable[[Probe], None]
    once: bool = False
    note: bool = False
    graph: bool = False


_FOUND: dict[str, Check] = {}


def check(
    *,
    runners: tuple[str, ...] = TWINS,
    needs: Ability | None = None,
    once: bool = False,
    note: bool = False,
    graph: bool = False,
) -> Callable[[Callable[[Probe], None]], Callable[[Probe], None]]:
    """Register a function as the check of its own name; the first line of its docstring is the property.

    A check that `needs` something is for the backends that have it, see `porting.backends.Backend.has`.
    """

    def register(run: Callable[[Probe], None]) -> Callable[[Probe], None]:
        name = run.__name__
        about = (run.__doc__ or "").strip().splitlines()[0]
        _FOUND[name] = Check(name, having(needs) if needs else runners, about, run, once, note, graph)
        return run

    return register


@cache
def checks() -> dict[str, Check]:
    """Return all checks by name, in alphabetical order."""
    for info in pkgutil.iter_modules(__path__, __name__ + "."):
        import_module(info.name)
    return dict(sorted(_FOUND.items()))
