"""The names of a file in the forms that are read, and its gradients: found once, as each translation asks for them."""

from collections.abc import Sequence
from typing import Any

from porting.translate.dialects import DIALECTS, FRAMEWORKS
from porting.translate.names import Names
from porting.translate.read.canonical import canonical
from porting.translate.read.everywhere import Seen, everywhere
from porting.translate.read.makers import makers_of
from porting.translate.read.source import Source
from porting.translate.read.star_imports import of_stars


def names_of(read: Source, of: str, inputs: Sequence[str], transparent: Sequence[str]) -> Names:
    """Return the names of a file, for one translation to add to.

    Parameters
    ----------
    read : Source
        The file.
    of : str
        Its dialect.
    inputs : sequence of str
        What the inputs of a gradient are called that takes them as ``*args``.
    transparent : sequence of str
        Decorators that change no number, as the user says.
    """
    key: tuple[Any, ...] = ("names", of, tuple(inputs), tuple(transparent))
    if key not in read.found:
        names = Names(read.module)
        names.inputs = list(inputs)
        names.transparent = tuple(transparent)
        of_stars(names, read)
        if of in FRAMEWORKS:
            names.makers = {} if DIALECTS[of].by_class else makers_of(read.module, names, read.path)
            canonical(names, by_class=DIALECTS[of].by_class)
        read.found[key] = names
    found: Names = read.found[key]
    return found.copy()


def gradients_of(read: Source, of: str, names: Names) -> list[Seen]:
    """Return every custom gradient of a file, in order."""
    key: tuple[Any, ...] = ("gradients", of)
    if key not in read.found:
        read.found[key] = everywhere(read.module, names, by_class=DIALECTS[of].by_class)
    found: list[Seen] = read.found[key]
    return found
