"""Finds the file that an import within a package means, only by its path: nothing is imported."""

from pathlib import Path
from typing import Final

_ABOVE: Final = 4  # folders above a file that may be the root of its repository


def file_of(here: Path, dotted: str) -> tuple[Path, str] | None:
    """Return the file and the name in it that a path of an import stands for.

    Parameters
    ----------
    here : pathlib.Path
        The file that imports.
    dotted : str
        ``.utils.clip``, ``..ops.clip``, ``package.utils.clip``; also ``utils.clip``, of a file beside this one, or
        in a folder above, which may be the root of its repository.

    Returns
    -------
    (pathlib.Path, str) or None
        Nothing if it is of another package.
    """
    level = len(dotted) - len(dotted.lstrip("."))
    *parts, title = dotted[level:].split(".")
    folder = here.absolute().parent
    if level:
        root = folder.parents[level - 2] if level > 1 else folder
        return _within(root, parts, title)
    top = folder
    while (top / "__init__.py").is_file():
        top = top.parent
    places = dict.fromkeys([top, folder, *(folder, *folder.parents)[1 : 1 + _ABOVE]])
    return next((found for place in places if (found := _within(place, parts, title))), None)


def _within(root: Path, parts: list[str], title: str) -> tuple[Path, str] | None:
    place = root.joinpath(*parts)
    for file in (place.with_suffix(".py") if parts else place / "__init__.py", place / "__init__.py"):
        if file.is_file():
            return file, title
    return None
