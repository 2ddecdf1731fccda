"""The lines of a twin that only a compiler runs, run eagerly, so that every check sees them."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

_ASKED = "torch.compiler.is_compiling"


def branches(source: str) -> bool:
    """Tell whether code asks if it is compiled, and so may have a second formula."""
    return _ASKED in source


@contextmanager
def as_if_compiled() -> Iterator[None]:
    """Let everything in this process that asks whether it is compiled be told that it is."""
    with mock.patch(_ASKED, return_value=True):
        yield
