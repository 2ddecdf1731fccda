"""Names the modules that the server of worker processes imports, so that no worker forked from it imports them."""

from collections.abc import Iterable
from typing import Final

from porting.backends import BACKENDS

_WITH: Final = {backend.packages[0]: backend.preloaded for backend in BACKENDS.values() if backend.packages}


def preload(modules: Iterable[str]) -> list[str]:
    """Return the names of the frameworks, of the modules that a first case in them imports, and of checks and causes.

    The server leaves out a module that does not exist, as in an older PyTorch.
    """
    frameworks = dict.fromkeys(modules)
    return [*(name for module in frameworks for name in (module, *_WITH.get(module, ()))), "porting.engine.preloaded"]
