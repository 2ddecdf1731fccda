"""Finds the sides to translate in a file of pairs, so that `porting translate` takes the file that `check` takes."""

from pathlib import Path

from porting.backends import CATALOGUED
from porting.errors import PairError
from porting.named import file_of
from porting.pairs.listed import listed_pairs
from porting.pairs.pair import Pair
from porting.port.discover import Unit, units_of
from porting.translate.read.source import SourceError


def units_of_pairs(path: Path, to: str) -> tuple[dict[Unit, Pair], list[str]]:
    """Return the sides that can be translated to a framework, each with its pair, and messages about unreadable sides.

    Parameters
    ----------
    path : pathlib.Path
        The file, see `listed_pairs`.
    to : {"torch", "tf", "numpy"}
        What to translate to: the sides of the other framework; for NumPy, the first side of each pair.

    Raises
    ------
    PortingError
        If the file cannot be read, or nothing in it can be translated to that framework.
    """
    units: dict[Unit, Pair] = {}
    unread: list[str] = []
    for pair in listed_pairs(path):
        side = next((target for key in CATALOGUED if key != to and (target := pair.sides.get(key))), None)
        if side is None:
            continue
        place, _, name = str(side).rpartition(":")
        try:
            for unit in units_of(_file(place), name, to):
                units.setdefault(unit, pair)
        except SourceError as error:
            unread.append(f"{path}, [pair.{pair.name}]: {error}")
    if not units and not unread:
        raise PairError(f"{path}: no pair in it has a side that could go to {to}")
    return units, unread


def _file(place: str) -> Path:
    found = Path(place) if place.endswith(".py") else file_of(place)
    if found is None:
        raise SourceError(f"{place}: there is no file of Python of that module here or among the installed ones")
    return found
