"""The frameworks, each a record in a folder of its own."""

from typing import Final

from porting.backends import tf, torch
from porting.backends.backend import Backend as Backend

BACKENDS: Final = {backend.key: backend for backend in (torch.BACKEND, tf.BACKEND)}
TITLES: Final = {"oracle": "oracle", **{key: backend.title for key, backend in BACKENDS.items()}}
