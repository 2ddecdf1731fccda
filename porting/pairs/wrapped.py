"""A twin inside another function: as a runner sees it, it is still a module, if it is one."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeAlias

Twin: TypeAlias = Callable[..., Any]


def wrapped(twin: Twin, wrap: Callable[[Twin], Twin]) -> Twin:
    """Return a twin inside another function, with its source, and with what a runner asks of a module.

    Parameters
    ----------
    twin : callable
        The twin: a function, or one that is made of a module.
    wrap : callable
        Returns the function around a twin, or around a layer that a runner holds, which takes the call's inputs only.
    """
    call: Any = wrap(twin)
    call.__wrapped__ = twin
    for name in ("kept", "state"):
        if (found := getattr(twin, name, None)) is not None:
            setattr(call, name, found)
    if (held := getattr(twin, "held", None)) is not None:
        call.held = lambda dtype: _Held(held(dtype), wrap)
    return call  # type: ignore[no-any-return]  # it has attributes that a function's type does not


def changed(
    xs: Sequence[Any], given: Mapping[str, Any], places: Collection[int], change: Callable[[int, Any], Any]
) -> tuple[list[Any], dict[str, Any]]:
    """Return the arguments of a call with some of the inputs changed, which come by place or by name.

    Parameters
    ----------
    xs, given : sequence, mapping
        What comes by place, and by name: inputs come first there too, under the side's own names.
    places : collection of int
        Which inputs are changed.
    change : callable
        Given the place and the input, returns another one.
    """
    by_name = enumerate(given.items(), len(xs))
    named = {n: change(k, x) if k in places else x for k, (n, x) in by_name}
    return [change(k, x) if k in places else x for k, x in enumerate(xs)], named


class _Held:
    """What a layer in one type is to a runner, called inside another function; see `Held` of `backends.tf.module`."""

    def __init__(self, held: Any, wrap: Callable[[Twin], Twin]) -> None:
        self._held, self._call = held, wrap(held)

    def __call__(self, *xs: Any, **given: Any) -> Any:
        return self._call(*xs, **given)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._held, name)
