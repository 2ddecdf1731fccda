"""Outputs without a gradient, as a contract declares them."""

from collections.abc import Callable, Collection
from typing import Any

from porting.backends import BACKENDS
from porting.pairs.wrapped import wrapped


def detached(key: str, twin: Callable[..., Any], places: Collection[int]) -> Callable[..., Any]:
    """Return a twin some of whose outputs no gradient comes through, whether it says so itself or not."""

    def wrap(inner: Callable[..., Any]) -> Callable[..., Any]:
        def without(*xs: Any, **given: Any) -> Any:
            y = inner(*xs, **given)
            if not isinstance(y, tuple | list):
                return y  # the case says how many outputs there are
            tensors = BACKENDS[key].tensors
            return tuple(tensors.detached(one) if k in places else one for k, one in enumerate(y))

        return without

    return wrapped(twin, wrap) if places else twin
