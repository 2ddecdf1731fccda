"""A repository's own list of pairs: a TOML file, one table per pair."""

import os
import re
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from porting.backends import BACKENDS, CATALOGUED
from porting.errors import PairError, PortingError
from porting.pairs.options import LISTS, OPTIONS, pair_from
from porting.pairs.pair import Pair

_PAIRS: Final = "pair"
_FILES: Final = ("oracle", "surrogate_of", "like", "against", *BACKENDS, *(f"{key}_python" for key in CATALOGUED))
_OWN: Final = re.compile(r"@([^\[\]}]+)")  # a function of one's own, in an input
_FORM: Final = 'a table [pair.NAME] for each pair, with the options of the command line as keys, as in torch = "a.py:f"'


def listed_pairs(path: Path) -> list[Pair]:
    """Return the pairs of a file, in its order.

    Keys are the options of ``porting check`` that name a pair, without the dashes in front: ``torch``, ``tf``,
    ``input``, ``static``, ``surrogate-of`` and so on. What stands above the tables holds for every pair that does not
    say otherwise. Paths are relative to the file.

    Raises
    ------
    PairError
        If the file cannot be read, or has a key that is none of these; the message names the nearest one.
    PortingError
        If a pair cannot be meant; the message begins with the file and the pair.
    """
    try:
        text = path.read_text(encoding="utf-8")
        said = tomllib.loads(text)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise PairError(f"{path}: cannot be read: {reason}") from None
    except tomllib.TOMLDecodeError as error:
        raise PairError(f"{path}: is no TOML: {error}") from None
    tables = said.pop(_PAIRS, {})
    if not isinstance(tables, dict) or not tables or not all(isinstance(t, dict) for t in tables.values()):
        raise PairError(f"{path}: {_FORM} is wanted")
    usual = _options(said, f"{path}")
    found = []
    for name, table in tables.items():
        where = f"{path}, [pair.{name}]"
        options = {**usual, **_options(table, where)}
        try:
            found.append(pair_from({key: _beside(path, key, value) for key, value in options.items()}, name))
        except PortingError as error:
            raise PairError(f"{where}: {error}") from None
    return found


def _options(table: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return the options of a table, lists as lists of text."""
    known = {option.replace("_", "-"): option for option in OPTIONS}
    found: dict[str, Any] = {}
    for key, value in table.items():
        if key not in known:
            near = get_close_matches(key, known, n=1, cutoff=0.6)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
            raise PairError(f"{where}: no option is called {key!r}; {hint}")
        found[known[key]] = _texts(value, f"{where}: {key}") if known[key] in LISTS else _text(value, f"{where}: {key}")
    return found


def _texts(value: Any, where: str) -> list[str]:
    """Return ``{limit = 1.5}`` and ``["limit=1.5"]`` as the latter."""
    if isinstance(value, dict):
        return [f"{name}={given if isinstance(given, str) else repr(given)}" for name, given in value.items()]
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return list(value)
    raise PairError(f'{where} = {value!r}: a list of text, as in ["x=float64[n]"], or a table is wanted')


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise PairError(f"{where} = {value!r}: text is wanted")
    return value


def _beside(path: Path, key: str, value: Any) -> Any:
    """Return a path as it leads there from here; a package's name, a command and what is no path as they are."""
    if key == "input":
        return [_OWN.sub(lambda found: f"@{_beside(path, 'torch', found[1])}", text) for text in value]
    if key not in _FILES:
        return value
    prefix = next((f"{side}:" for side in BACKENDS if key == "like" and value.startswith(f"{side}:")), "")
    place, colon, name = value.removeprefix(prefix).rpartition(":")
    if key == "against" or (key.endswith("_python") and os.sep in value):
        return os.path.relpath(path.parent / value)
    if not place.endswith(".py"):
        return value
    return f"{prefix}{os.path.relpath(path.parent / place)}{colon}{name}"
