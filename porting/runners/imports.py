"""Importing a framework: a million objects that stay, and hardly any garbage."""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected(module: str) -> Iterator[None]:
    """Hold garbage collections while a module is imported, and keep what is there then out of all later ones.

    A collection looks at every object. A fifth of the time that importing both frameworks takes goes into collections.
    """
    if module in sys.modules:
        yield
        return
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if collecting:
            gc.enable()
