"""The names of a file in the forms that are read, and its gradients: found once, as each translation asks for them."""

from collections.abc import Sequence
from typing import Any

from porting.translate.dialects import DIALECTS, FRAMEWORKS
from porting.translate.names import Names
from porting.translate.read.canonical import canonical
from porting.translate.read.everywhere import Seen, everywhere
from porting.translate.read.source import Source


def names_of(read: Source, of: str, inputs: Sequence[str]) -> Names:
    """Return the names of a file, for one translation to add to.

    Parameters
    ----------
    read : Source
        The file.
    of : str
        Its dialect.
    inputs : sequence of str
        What the inputs of a gradient are called that takes them as ``*args``.
    """
    key = ("names", of, *inputs)
    if key not in read.found:
        names = Names(read.module)
        names.inputs = list(inputs)
        if of in FRAMEWORKS:
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
