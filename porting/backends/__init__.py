"""The frameworks, one record for each: PyTorch, TensorFlow, and those that other packages add.

A package adds a framework with an entry point of the group ``porting.backends`` that names a `Backend`.
"""

import warnings
from importlib.metadata import entry_points
from typing import Final

from porting.backends import tf, torch
from porting.backends.backend import Ability as Ability
from porting.backends.backend import Backend as Backend

ENTRY_POINT_GROUP: Final = "porting.backends"


def _backends() -> dict[str, Backend]:
    """Return all by key; one of another package that cannot be had is told of, and left out."""
    found = {backend.key: backend for backend in (torch.BACKEND, tf.BACKEND)}
    for point in sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda point: (point.name, point.value)):
        why = ""
        try:
            backend = point.load()
        except Exception as error:  # noqa: BLE001 - whatever the import of somebody's module raises
            why = f"does not load ({type(error).__name__}: {error})"
        else:
            if not isinstance(backend, Backend):
                why = f"is {backend!r}, no porting.backends.Backend"
            elif backend.key in found or backend.key == "oracle":
                why = f"is called {backend.key!r} as another one is"
            else:
                found[backend.key] = backend
        if why:
            entry = f"the {ENTRY_POINT_GROUP} entry point {point.name} = {point.value}"
            warnings.warn(f"{entry} {why}; it is left out", stacklevel=2)
    return found


BACKENDS: Final = _backends()
CATALOGUED: Final = tuple(key for key, backend in BACKENDS.items() if backend.catalogued)
TITLES: Final = {"oracle": "oracle", **{key: backend.title for key, backend in BACKENDS.items()}}
PACKAGES: Final = {package: key for key, backend in BACKENDS.items() for package in backend.packages}


def having(ability: Ability) -> tuple[str, ...]:
    """Return the keys of the backends that have an ability, see `Backend.has`."""
    return tuple(key for key, backend in BACKENDS.items() if ability in backend.has)
