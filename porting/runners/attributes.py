"""Plain Python values in modules: a first call may set them, and they are put back before the next call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

_PLAIN = (bool, int, float, complex, str, type(None))


class Attributes:
    """The plain values that some objects hold now, so that they can be put back."""

    def __init__(self, things: Iterable[Any]) -> None:
        self._held = [(vars(t), {n: v for n, v in vars(t).items() if isinstance(v, _PLAIN)}) for t in things]

    def put_back(self) -> None:
        """Give the objects these values again; nothing else of them is touched."""
        for now, before in self._held:
            now.update(before)
