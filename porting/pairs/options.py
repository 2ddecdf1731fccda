"""A pair from options as they are written: on a command line, or in a file."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from porting.backends import BACKENDS, CATALOGUED
from porting.contract import Contract
from porting.errors import PairError
from porting.named import ensure_named
from porting.pairs.array import Array
from porting.pairs.pair import Pair
from porting.pairs.parse import parse_input, parse_promise, parse_static, parse_weights
from porting.pairs.turned import parse_axes

LISTS: Final = ("input", "static", "rename", "axes", "weights", "contract")
NAMES: Final = ("oracle", "surrogate_of", "like", "reference", "against")
OPTIONS: Final = (*BACKENDS, *NAMES, *LISTS, *(f"{key}_python" for key in CATALOGUED))


def pair_from(options: Mapping[str, Any], name: str = "") -> Pair:
    """Return the pair that options name.

    Parameters
    ----------
    options : mapping of str to str or sequence of str
        Some of `OPTIONS`; those of `LISTS` are lists of text, such as ``["x=float64[n]"]``.
    name : str
        What reports call it; the name of the first side when not given.

    Raises
    ------
    PortingError
        If they contradict each other, cannot be read, or a name in them leads nowhere.
    """
    given = {option: value for option in OPTIONS if (value := options.get(option)) not in (None, [])}
    sides = {key: given[key] for key in BACKENDS if key in given}
    if given and not sides:
        first = _spelled(next(iter(given)))
        raise PairError(f"{first} without a side: give --torch FUNCTION, --tf FUNCTION or both")
    for option in ("oracle", "against"):
        if "contract" in given and option in given:
            raise PairError(f"--contract {given['contract'][0]}: with --{option} its own contract holds; leave one out")
    inputs, statics = called_with(given.get("input", []), given.get("static", []))
    python = {key: given[f"{key}_python"] for key in CATALOGUED if f"{key}_python" in given}
    for key, path in python.items():
        if key not in given:
            raise PairError(f"--{key}-python {path}: which function runs there? Give --{key} FUNCTION too")
    promises = [parse_promise(text) for text in given.get("contract", [])]
    names = [promise for promise, _ in promises]
    if twice := next((promise for promise in names if names.count(promise) > 1), None):
        raise PairError(f"--contract {twice} is given twice")
    pair = Pair(
        **{option: given.get(option) for option in NAMES}, sides=sides, inputs=inputs, statics=statics,
        python=python, name=name, contract=Contract(**dict(promises)),
        rename=_renames(given.get("rename", [])), axes=parse_axes(given.get("axes", [])),
        weights=_weights(given.get("weights", [])),
    )  # fmt: skip
    _ensure_named(pair)
    return pair


def called_with(inputs: Sequence[str], statics: Sequence[str]) -> tuple[dict[str, Array], dict[str, Any]]:
    """Return the inputs and the statics that are given.

    Raises
    ------
    PairError
        If one cannot be read, or is given twice.
    """
    arrays, values = [parse_input(text) for text in inputs], [parse_static(text) for text in statics]
    for option, names in (("--input", [name for name, _ in arrays]), ("--static", [name for name, _ in values])):
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice:
            raise PairError(f"{option} {twice} is given twice")
    return dict(arrays), dict(values)


def _weights(given: Sequence[str]) -> dict[str, str]:
    pairs = [parse_weights(text) for text in given]
    for side in (0, 1):
        names = [pair[side] for pair in pairs]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise PairError(f"--weights: {twice} is given twice")
    return dict(pairs)


def _spelled(option: str) -> str:
    return f"--{option.replace('_', '-')}"


def _renames(given: Sequence[str]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for text in given:
        key, _, names = text.partition(":")
        mine, _, theirs = names.partition("=")
        if key not in BACKENDS or not mine.isidentifier() or not theirs.isidentifier():
            raise PairError(f"--rename {text}: SIDE:NAME=NAME is wanted, as in tf:dim=axis")
        found.setdefault(key, {})[mine] = theirs
    return found


def _ensure_named(pair: Pair) -> None:
    """Refuse a misspelt name before a framework is imported; another interpreter's files are looked at there."""
    here = {key: side for key, side in pair.sides.items() if key not in pair.python}
    others = {"oracle": pair.oracle, "surrogate_of": pair.surrogate_of, "like": pair.plain[1] if pair.like else None}
    for what, target in {**here, **others}.items():
        if isinstance(target, str):
            ensure_named(target, what)
