"""Which parameter of one side is which of the other side: by name, by order and shape, or as it was said."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from keyword import iskeyword
from typing import Any, Final, NamedTuple, TypeAlias

from porting.backends.axes import NEW
from porting.errors import PairError

Axes: TypeAlias = tuple[int, ...] | None
# How PyTorch and Keras lay out the same kernel: linear, and convolutions over 1, 2 and 3 axes, the depthwise one too.
_ORDERS: Final[dict[int, tuple[tuple[int, ...], ...]]] = {
    2: ((1, 0),),
    3: ((2, 1, 0),),
    4: ((2, 3, 1, 0), (3, 2, 0, 1), (2, 3, 0, 1)),
    5: ((2, 3, 4, 1, 0), (4, 3, 0, 1, 2)),
}
_KERNEL: Final = "kernel"  # Keras' word: with it go Keras' axes
_WEIGHT: Final = "weight"  # PyTorch's


class Parameter(NamedTuple):
    """A parameter of a side: its own name, and its shape where it is known; an argument of a function has none."""

    name: str
    shape: tuple[int, ...] | None


@dataclass(frozen=True)
class Listed:
    """What one side has.

    Attributes
    ----------
    key : str
        ``torch``, ``tf``, ``oracle``, ``like`` or ``recording``.
    title : str
        What it is called.
    parameters : tuple of Parameter
        In its own order.
    """

    key: str
    title: str
    parameters: tuple[Parameter, ...]


@dataclass(frozen=True)
class Weight:
    """A parameter that is an input.

    Attributes
    ----------
    name : str
        Of the input.
    shape : tuple of int, optional
        Of the input.
    own : mapping of str to (str, tuple of int or None)
        For each side its own name for it, and the order of axes that makes it from the input.
    """

    name: str
    shape: tuple[int, ...] | None
    own: Mapping[str, tuple[str, Axes]]


def identifier(name: str) -> str:
    """Return a name that an argument can have: ``p0_weight`` for ``0.weight``."""
    written = re.sub(r"\W", "_", name)
    return written if written.isidentifier() and not iskeyword(written) else f"p{written}"


def weights_of(sides: Sequence[Listed], said: Mapping[str, str], taken: Sequence[str]) -> tuple[Weight, ...]:
    """Return the parameters as inputs, in the order of the first side, which names them.

    Parameters
    ----------
    sides : sequence of Listed
        All sides; PyTorch before TensorFlow.
    said : mapping of str to str
        The name in TensorFlow by the name in PyTorch, of those that were given by hand.
    taken : sequence of str
        Names that other inputs have.

    Raises
    ------
    PairError
        If what one side has does not match what the other has.
    """
    base = sides[0]
    matches = {side.key: matched(base, side, said) for side in sides[1:]}
    found = []
    for k, parameter in enumerate(base.parameters):
        name = identifier(parameter.name)
        while name in taken:
            name += "_"
        own: dict[str, tuple[str, Axes]] = {base.key: (parameter.name, None)}
        shape = parameter.shape
        for side in sides[1:]:
            theirs, axes = matches[side.key][k]
            own[side.key] = theirs.name, axes
            shape = _as_input(theirs.shape, axes) if shape is None else shape
        found.append(Weight(name, shape, own))
    return tuple(found)


def matched(base: Listed, other: Listed, said: Mapping[str, str]) -> list[tuple[Parameter, Axes]]:
    """Return for each parameter of one side that of the other, and the order of axes that makes it.

    Raises
    ------
    PairError
        If there are not as many, or their shapes do not fit; it shows both lists.
    """
    found: dict[str, tuple[Parameter, Axes]] = {}
    rest = list(other.parameters)
    by_hand = said if (base.key, other.key) == ("torch", "tf") else {}
    for mine, theirs in by_hand.items():
        a, b = _called(base, mine), _called(other, theirs)
        if b not in rest:
            raise PairError(f"weights: {other.key}:{b.name} is said to be two parameters")
        if not _fits(a, b):
            raise _mismatch(base, other, f"{mine} {_written(a)} does not fit {theirs} {_written(b)}")
        found[a.name] = b, _fits(a, b)[0]
        rest.remove(b)
    for by_name in (True, False):
        left = [p for p in base.parameters if p.name not in found]
        in_order = len(left) == len(rest) and all(map(_fits, left, rest)) and all(map(_of_one_rank, left, rest))
        for parameter in left:
            same = [p for p in rest if identifier(p.name) == identifier(parameter.name)]
            nearby = same if by_name else rest[:1] if in_order else rest
            fitting = [p for p in nearby if _fits(parameter, p)]  # an axis of length 1 more is the last resort
            match = max(fitting, key=partial(_of_one_rank, parameter), default=None)
            if match is not None:
                found[parameter.name] = match, _fits(parameter, match)[0]
                rest.remove(match)
            elif not by_name:
                what = f"{other.key} has nothing for {parameter.name} {_written(parameter)}"
                raise _mismatch(base, other, what, parameter, *rest[:1])
    if rest:
        raise _mismatch(base, other, f"{base.key} has nothing for {rest[0].name} {_written(rest[0])}")
    return [found[p.name] for p in base.parameters]


def described(weights: Sequence[Weight]) -> list[str]:
    """Return what belongs to what, where it is not the same name in the same order of axes."""
    found = []
    for weight in weights:
        (first, (name, _)), *others = weight.own.items()
        if weight.name != name:
            found.append(f"{weight.name} = {first}:{name}")
        for key, (theirs, axes) in others:
            if theirs != name or axes is not None:
                found.append(f"{key}:{theirs} = {laid_out(f'{first}:{name}', axes)}")
    return found


def laid_out(name: str, axes: Axes) -> str:
    """Say in which order of axes something is what is named."""
    if axes is None:
        return name
    if NEW in axes or sorted(axes) != [*range(len(axes))]:
        return f"{name} with other axes of length 1"
    return f"transposed {name}" if axes == (1, 0) else f"{name} with its axes in the order {axes}"


def _as_input(shape: tuple[int, ...] | None, axes: Axes) -> tuple[int, ...] | None:
    """Return the shape of an input that is this shape in an order of axes."""
    return shape if shape is None or axes is None else tuple(shape[axes.index(k)] for k in range(len(shape)))


def _fits(mine: Parameter, theirs: Parameter) -> list[Axes]:
    """Return the orders of axes in which one is the other, the likely one first; none if there is none."""
    known = mine.shape or theirs.shape or ()
    orders: list[Axes] = list(_ORDERS.get(len(known), ()))
    kernels = [p.name.rpartition(".")[2].rpartition("/")[2] == _KERNEL for p in (mine, theirs)]
    if mine.shape is None or theirs.shape is None:  # F.linear has arguments, and PyTorch's axes
        return orders[:1] if orders and kernels == [False, True] and mine.name == _WEIGHT else [None]
    orders = [*orders, None] if any(kernels) and not all(kernels) else [None, *orders]
    shape = mine.shape
    found = [o for o in orders if theirs.shape == (shape if o is None else tuple(shape[k] for k in o))]
    return found or _of_length_1(shape, theirs.shape)


def _of_one_rank(mine: Parameter, theirs: Parameter) -> bool:
    return mine.shape is None or theirs.shape is None or len(mine.shape) == len(theirs.shape)


def _of_length_1(mine: tuple[int, ...], theirs: tuple[int, ...]) -> list[Axes]:
    """Return the order in which one is the other but for axes of length 1, if there is one: ``[3]`` and ``[1, 3]``."""
    long = [k for k, n in enumerate(mine) if n != 1]
    if len(mine) == len(theirs) or [mine[k] for k in long] != [n for n in theirs if n != 1]:
        return []
    rest = iter(long)
    return [tuple(NEW if n == 1 else next(rest) for n in theirs)]


def _called(side: Listed, name: str) -> Parameter:
    found = [p for p in side.parameters if name in {p.name, identifier(p.name)}]
    if not found:
        names = ", ".join(p.name for p in side.parameters) or "no parameters"
        raise PairError(f"weights: {side.key} has no parameter {name}; {side.title} has {names}")
    return found[0]


def _mismatch(base: Listed, other: Listed, what: str, *which: Parameter) -> PairError:
    """Return the error with both lists, side by side; `which` two may be meant to be one."""
    columns: list[list[str]] = []
    for side in (base, other):
        rows = [f"{p.name} {_written(p)}".rstrip() for p in side.parameters] or ["(none)"]
        columns.append([f"{side.key} {side.title}", *rows])
    width = max(map(len, columns[0]))
    rows_of_both = zip_longest(*columns, fillvalue="")
    table = "\n".join(f"  {a:<{width}}   {b}".rstrip() for a, b in rows_of_both)
    if len(which) < 2:  # nothing is left that it could be
        return PairError(
            f"{base.key} and {other.key} do not have the same parameters: {what}\n{table}\n"
            "make both with the same parameters"
        )
    say = (
        f"say which is which, --weights torch:{which[0].name}=tf:{which[1].name}, or make both with the same parameters"
    )
    return PairError(f"{base.key} and {other.key} do not have the same parameters: {what}\n{table}\n{say}")


def _written(parameter: Any) -> str:
    return "" if parameter.shape is None else str(list(parameter.shape))
