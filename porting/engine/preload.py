"""What the server of worker processes imports, so that none of the workers that it forks does."""

from collections.abc import Iterable
from typing import Final

from porting.backends import BACKENDS

_WITH: Final = {backend.packages[0]: backend.preloaded for backend in BACKENDS.values() if backend.packages}


def preload(modules: Iterable[str]) -> list[str]:
    """Return the names of modules: of frameworks, of what a first case in them imports, of checks and causes.

    One that is not there, as in an older PyTorch, is left out by the server.
    """
    frameworks = dict.fromkeys(modules)
    return [*(name for module in frameworks for name in (module, *_WITH.get(module, ()))), "porting.engine.preloaded"]
