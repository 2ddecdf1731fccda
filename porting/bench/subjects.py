"""Finds what is measured for an op: its twin, the plain composition, the framework's own op. Found by folder."""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from porting.spec import Op

TWIN, COMPOSITION, BUILT_IN = "twin", "composition", "built-in"
SUBJECTS: Final = (TWIN, COMPOSITION, BUILT_IN)


def subjects(op: Op, backend: str) -> dict[str, Callable[..., Any]]:
    """Return what is measured, by name; imports the framework.

    The composition is what a user writes without a custom gradient: plain ops, and ``detach`` or ``stop_gradient``
    where value and gradient belong to different functions. Both stand in ``porting/bench/<backend>/<family>.py``, in
    the dictionaries ``COMPOSITION`` and ``BUILT_IN``; an op without one has one column less.
    """
    found = {TWIN: op.twin(backend)}
    module = f"{__package__}.{backend}.{op.family}"
    if find_spec(module):
        others = import_module(module)
        for name, choices in ((COMPOSITION, others.COMPOSITION), (BUILT_IN, others.BUILT_IN)):
            if op.name in choices:
                found[name] = choices[op.name]
    return found
