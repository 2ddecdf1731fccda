"""Compiles with ``torch.compile``: what Inductor made in an earlier run is found again, in the user's cache."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from porting.runners.base import enter
from porting.runners.cached import folder_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from porting.backends.torch.in_mode import Answer, Asked

_FOLDER = "TORCHINDUCTOR_CACHE_DIR"


def compiled(asked: Asked, answer: Callable[[], Answer]) -> Answer:
    """Return the answer of a function that compiles.

    An exception may be that of a file that was cut off when it was written, so it counts only if it comes without the
    cache too.
    """
    folder = None if _is_chosen() else folder_for(f"inductor-torch-{torch.__version__}")
    if folder is None:
        with _compiling(None):
            return answer()
    try:
        with _compiling(folder):
            return answer()
    except Exception:  # noqa: BLE001 - any: it is asked again
        asked.stage = enter("forward")
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as empty, _compiling(empty):
            return answer()


def _is_chosen() -> bool:
    """Whether the user has said where Inductor keeps its files; if not, PyTorch sets the variable as it is imported."""
    from torch._inductor.runtime.cache_dir_utils import default_cache_dir

    return Path(os.environ.get(_FOLDER, default_cache_dir())).name != Path(default_cache_dir()).name


@contextmanager
def _compiling(folder: str | None) -> Iterator[None]:
    """Compile in this process, and in this folder: a pool of processes costs more than it saves for one small op."""
    from torch._inductor import config

    torch.compiler.reset()  # it counts how often one function was compiled
    before = os.environ.get(_FOLDER)
    if folder is not None:
        os.environ[_FOLDER] = folder
    try:
        with config.patch(compile_threads=1):
            yield
    finally:
        os.environ.pop(_FOLDER, None)  # PyTorch sets it, too
        if before is not None:
            os.environ[_FOLDER] = before
