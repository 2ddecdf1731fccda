"""Takes in what ``from constants import *`` imports, of a file of the same package or beside this one."""

from typing import Any

from libcst import matchers as m

from porting.translate.names import Names, dotted
from porting.translate.read.package import file_of
from porting.translate.read.source import Source, SourceError, read_source


def of_stars(names: Names, read: Source) -> None:
    """Add to names what the stars of their file import, by their paths."""
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
