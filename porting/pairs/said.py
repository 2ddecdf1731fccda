"""What the sources of several functions say of their arguments, together."""

from collections.abc import Callable, Sequence
from typing import Any

from porting.pairs.choices import choices_of
from porting.pairs.guess import Saying
from porting.pairs.said_by_calls import called_in, objects_in
from porting.pairs.said_by_clips import limits_of
from porting.pairs.said_by_comments import definite_of, shapes_of
from porting.pairs.said_by_indexing import indices_of
from porting.pairs.said_by_slices import widths_of
from porting.pairs.said_by_source import booleans_of, flags_of, tensors_of, wholes_of
from porting.pairs.said_by_unpacking import axes_of


def said_by(functions: Sequence[Callable[..., Any]], names: Sequence[str]) -> Saying:
    """Return what the sources of some functions say of arguments; of shapes, the first one's before the others'.

    Parameters
    ----------
    functions : sequence of callable
        The sides.
    names : sequence of str
        The arguments that are asked about.
    """
    shapes: dict[str, tuple[Any, ...]] = {}
    for function in functions:
        shapes = {**axes_of(function, names), **shapes_of(function, names), **shapes}

    def any_of(ask: Callable[[Callable[..., Any], Sequence[str]], set[str]]) -> set[str]:
        return {name for function in functions for name in ask(function, names)}

    booleans, indices = any_of(booleans_of), any_of(indices_of)
    definite, tensors, flags = any_of(definite_of), any_of(tensors_of), any_of(flags_of)
    texts = {name: texts for function in reversed(functions) for name, texts in choices_of(function, names[1:]).items()}
    widths = {name: width for function in functions for name, width in widths_of(function, names).items()}
    return Saying(
        shapes,
        booleans,
        any_of(wholes_of),
        definite,
        indices - booleans,
        tensors,
        flags,
        texts,
        widths,
        any_of(limits_of),
    )


def called(functions: Sequence[Callable[..., Any]], names: Sequence[str]) -> str:
    """Return what to do where an argument is a function or a module by the source, which no array is; else nothing."""
    functional = [name for name in names if any(name in called_in(function, names) for function in functions)]
    objects = [name for name in names if name in objects_in(functions, names) - {*functional}]
    found, one, several = [*objects, *functional], "is an object", "are objects"
    if not objects:
        one, several = "is a function, or a module,", "are functions, or modules,"
    do = "which no --input is; check a function around each side that has it inside and takes the arrays alone"
    return f"{', '.join(found)} {one if len(found) == 1 else several} in the source, {do}" if found else ""
