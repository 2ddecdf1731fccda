"""Ways to call a function in which one of several inputs is broadcast to the others.

PyTorch sums a gradient to the shape of its input, whatever a backward returns; TensorFlow does not. If a mask has fewer
axes, these are the first ones in PyTorch, and the last ones in TensorFlow.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from porting.port.candidate_inputs import Attempt
from porting.port.ways import BESIDE, NARROW, SPREAD
from porting.translate.argument import Argument

_WAYS: Final = 8  # that are tried
_ROWS, _LAST, _BOTH = ("n",), ("k",), ("n", "k")
Shapes = dict[str, tuple[Any, ...]]


def spread(attempt: Attempt, arguments: Sequence[Argument], given: Collection[str]) -> list[tuple[str, Attempt]]:
    """Return such ways, each with its name.

    Parameters
    ----------
    attempt : Attempt
        What was tried.
    arguments : sequence of Argument
        The arguments of the function.
    given : collection of str
        What the user has said stays as it is.
    """
    own = {a.name: a.differentiated for a in arguments if a.name in attempt.inputs}
    shapes = {n: x.shape for n, x in attempt.inputs.items()}
    free = [n for n in own if n not in given and shapes[n] == (...,)]
    if len(shapes) < 2 or not any(own.values()) or any(shapes[n] == (...,) for n in {*shapes} - {*free}):
        return []  # which goes with those of any shape is not known
    constant = [n for n in own if not own[n]]
    if free:
        ways = _of_any_shape(free, [n for n in constant if n in free]) if len(free) > 1 else iter(())
    else:
        ways = _of_known_shapes({n: shapes[n] for n in own if own[n] and n not in given}, shapes, constant)
    said = SPREAD if free else NARROW
    found = []
    for names, shape in ways:
        inputs = {n: replace(x, shape=shape.get(n, x.shape)) for n, x in attempt.inputs.items()}
        found.append((said + BESIDE.join(names), replace(attempt, inputs=inputs)))
    return found[:_WAYS]


def _of_any_shape(free: Sequence[str], constant: Sequence[str]) -> Iterator[tuple[Sequence[str], Shapes]]:
    """Yield shapes of inputs that have any: one with the last axis alone; those without gradient with the first one."""
    for name in reversed(free):
        yield [name], {n: _LAST if n == name else _BOTH for n in free}
    if 0 < len(constant) < len(free):
        yield constant, {n: _ROWS if n in constant else _BOTH for n in free}


def _of_known_shapes(mine: Shapes, every: Shapes, constant: Collection[str]) -> Iterator[tuple[Sequence[str], Shapes]]:
    """Yield a shape with the length 1 for each input that others may be larger than: a bias of one number, say.

    Those have more axes, or as many and no gradient, as a mask.
    """
    for name, shape in reversed(list(mine.items())):
        beside = [len(every[n]) - (n not in constant) for n in every if n != name]
        if shape and ... not in shape and shape[0] != 1 and max(beside) >= len(shape):
            yield [name], {name: (1, *shape[1:])}
