"""Outputs without a gradient, as a contract declares them."""

import sys
from collections.abc import Callable, Collection
from typing import Any


def detached(key: str, twin: Callable[..., Any], places: Collection[int]) -> Callable[..., Any]:
    """Return a twin some of whose outputs no gradient comes through, whether it says so itself or not."""
    if not places:
        return twin

    def without(*xs: Any, **given: Any) -> Any:
        y = twin(*xs, **given)
        if not isinstance(y, tuple | list):
            return y  # the case says how many outputs there are
        return tuple(_stopped(key, one) if k in places else one for k, one in enumerate(y))

    without.__wrapped__ = twin  # type: ignore[attr-defined]  # where the source is
    return without


def _stopped(key: str, y: Any) -> Any:
    return y.detach() if key == "torch" else sys.modules["tensorflow"].stop_gradient(y)
