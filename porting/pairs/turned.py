"""Arrays whose axes stand in another order on one side: images with their channels last, weights turned round."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from porting.backends import BACKENDS
from porting.errors import PairError
from porting.pairs.array import Array
from porting.pairs.wrapped import changed, wrapped

Order = tuple[int, ...]
OUTPUT: Final = "output"
_WANTED: Final = "SIDE:NAME=ORDER is wanted, as in tf:x=0,2,3,1 for an input, or tf:output=0,2,3,1"


def parse_axes(texts: Sequence[str]) -> dict[str, dict[str, Order]]:
    """Return the orders of axes that are given: by side, and by input or ``output``.

    Parameters
    ----------
    texts : sequence of str
        ``tf:x=0,2,3,1``: of the pair's x, the TensorFlow side has axis 0 first, then axis 2.

    Raises
    ------
    PairError
        If one cannot be read, or is given twice.
    """
    found: dict[str, dict[str, Order]] = {}
    for text in texts:
        key, _, said = text.partition(":")
        name, _, order = said.partition("=")
        places = [place.strip() for place in order.split(",")]
        if key not in BACKENDS or not name or not all(place.isdigit() for place in places):
            raise PairError(f"--axes {text}: {_WANTED}")
        if name in found.setdefault(key, {}):
            raise PairError(f"--axes {key}:{name} is given twice")
        found[key][name] = tuple(map(int, places))
    return found


def written_axes(axes: Mapping[str, Mapping[str, Order]]) -> list[str]:
    """Return orders of axes as options say them: ``tf:x=0,2,3,1``."""
    return [f"{k}:{name}={','.join(map(str, o))}" for k, orders in axes.items() for name, o in orders.items()]


def ensure_orders(axes: Mapping[str, Mapping[str, Order]], inputs: Mapping[str, Array], sides: Sequence[str]) -> None:
    """Refuse orders of a side that is not there, of an input that nobody described, or that are none of its axes.

    Raises
    ------
    PairError
        With what is wanted.
    """
    for key, orders in axes.items():
        if key not in sides:
            raise PairError(f"axes={{{key!r}: …}}: {key} is no side of this pair, or runs in another interpreter")
        for name, order in orders.items():
            if sorted(order) != list(range(len(order))):
                raise PairError(f"axes of {key}:{name}: {list(order)} is no order of {len(order)} axes, counted from 0")
            if name == OUTPUT:
                continue
            shape = inputs[name].shape if name in inputs else (...,)
            if ... in shape or len(shape) != len(order):
                letters = ",".join("nchwdtk"[: len(order)])
                said = f"say that {name} has {len(order)} axes, as in --input {name}=float64[{letters}]"
                raise PairError(f"axes of {key}:{name}: {said}")


def turned(
    key: str, twin: Callable[..., Any], inputs: Sequence[str], orders: Mapping[str, Order]
) -> Callable[..., Any]:
    """Return a twin that takes inputs, and returns outputs, with their axes in the pair's order.

    Parameters
    ----------
    key : str
        The framework.
    twin : callable
        A side with axes in other orders.
    inputs : sequence of str
        Its inputs, by place.
    orders : mapping of str to tuple of int
        Of some of them, and of ``output``: the place in the pair's of each axis of the side's.
    """
    places = {k: orders[name] for k, name in enumerate(inputs) if name in orders}
    back = tuple(int(k) for k in np.argsort(orders.get(OUTPUT, ())))

    def wrap(inner: Callable[..., Any]) -> Callable[..., Any]:
        def in_the_pairs_order(*xs: Any, **given: Any) -> Any:
            order = BACKENDS[key].tensors.in_order
            mine, named = changed(xs, given, places, lambda k, x: order(x, places[k]))
            y = inner(*mine, **named)
            if not back:
                return y
            return tuple(order(one, back) for one in y) if isinstance(y, tuple | list) else order(y, back)

        return in_the_pairs_order

    return wrapped(twin, wrap) if orders else twin


def examples_in_order(xs: Sequence[Any], inputs: Sequence[str], orders: Mapping[str, Order]) -> list[Any]:
    """Return arrays of NumPy as a side has them."""
    return [np.transpose(x, orders[name]) if name in orders else x for name, x in zip(inputs, xs, strict=True)]


def lines_of(axes: Mapping[str, Mapping[str, Order]]) -> list[str]:
    """Return a line for each side that has axes in another order."""
    return [
        f"{key}: {', '.join(f'{name} with axes {list(order)}' for name, order in orders.items())}"
        for key, orders in axes.items()
        if orders
    ]
