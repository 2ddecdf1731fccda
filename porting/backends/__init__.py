"""The frameworks: ours, and those that other packages add by an entry point of the group ``porting.backends``."""

from importlib.metadata import entry_points
from typing import Final

from porting.backends import tf, torch
from porting.backends.backend import Backend as Backend


def _backends() -> dict[str, Backend]:
    ours = [torch.BACKEND, tf.BACKEND]
    theirs: list[Backend] = [entry.load() for entry in entry_points(group="porting.backends")]
    return {backend.key: backend for backend in (*ours, *theirs)}


BACKENDS: Final = _backends()
TITLES: Final = {"oracle": "oracle", **{key: backend.title for key, backend in BACKENDS.items()}}
