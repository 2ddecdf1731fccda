"""The names of a file in the forms that are read, and its gradients: found once, as each translation asks for them."""

from collections.abc import Sequence
from typing import Any

from libcst import matchers as m

from porting.translate.dialects import DIALECTS, FRAMEWORKS
from porting.translate.names import Names, dotted
from porting.translate.read.canonical import canonical
from porting.translate.read.everywhere import Seen, everywhere
from porting.translate.read.makers import makers_of
from porting.translate.read.package import file_of
from porting.translate.read.source import Source, SourceError, read_source


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
        _of_stars(names, read)
        if of in FRAMEWORKS:
            names.makers = {} if DIALECTS[of].by_class else makers_of(read.module, names, read.path)
            canonical(names, by_class=DIALECTS[of].by_class)
        read.found[key] = names
    found: Names = read.found[key]
    return found.copy()


def _of_stars(names: Names, read: Source) -> None:
    """Take in what ``from constants import *`` imports, of a file of the same package or beside this one."""
    stars: Any = m.findall(read.module, m.ImportFrom(names=m.ImportStar()))
    for star in stars:
        package = "." * len(star.relative) + (dotted(star.module) if star.module else "")
        found = file_of(read.path, f"{package}{'' if package.endswith('.') else '.'}*")
        if found is None:
            continue
        try:
            other = Names(read_source(found[0]).module)
        except SourceError:
            continue
        joined = package if package.endswith(".") else f"{package}."
        absolute = {n: path for n, path in other.imported.items() if not path.startswith(".")}
        given = {n: p for n, p in {**{n: f"{joined}{n}" for n in other.defined}, **absolute}.items() if n[0] != "_"}
        names.imported = {**{n: p for n, p in given.items() if n not in names.defined}, **names.imported}


def gradients_of(read: Source, of: str, names: Names) -> list[Seen]:
    """Return every custom gradient of a file, in order."""
    key: tuple[Any, ...] = ("gradients", of)
    if key not in read.found:
        read.found[key] = everywhere(read.module, names, by_class=DIALECTS[of].by_class)
    found: list[Seen] = read.found[key]
    return found
