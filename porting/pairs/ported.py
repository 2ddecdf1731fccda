"""The side of a pair that is ported from, to be recorded, and the other one against the recording."""

from dataclasses import replace
from pathlib import Path

from porting.contract import Contract
from porting.errors import PairError
from porting.pairs.pair import Pair
from porting.pairs.replay import Replay


def ported_from(pair: Pair, reference: str | None = None) -> Pair:
    """Return a pair of the one side that is ported from.

    Parameters
    ----------
    pair : Pair
        Whose `reference` it is, or the only side.
    reference : str, optional
        Which side, where the pair does not say.

    Raises
    ------
    PairError
        If nothing says which of two sides it is, or that side is not there.
    """
    sides = list(pair.sides)
    if reference and pair.reference not in {None, reference}:
        raise PairError(f"{pair.name}: --reference {reference}, and the pair itself says reference = {pair.reference}")
    key = pair.reference or reference or (sides[0] if len(sides) == 1 else "")
    if not key:
        said = f"--reference {' or '.join(sides)}"
        raise PairError(f"{pair.name}: which side is ported from, and to be recorded? Say {said}")
    if key not in sides:
        raise PairError(f"{pair.name}: has no {key} side that could be recorded; it has {' and '.join(sides)}")
    return _alone(pair, key)


def ported_to(pair: Pair, path: Path | str) -> Pair:
    """Return a pair of the side that is ported to, against a recording that says what it is called with.

    Raises
    ------
    PortingError
        If the recording cannot be used, or does not hold the pair.
    """
    recorded = Replay(Path(path), pair.name, ()).key
    sides = list(pair.sides)
    key = next((side for side in sides if side != recorded), sides[0])  # the same one, under another version
    return replace(_alone(pair, key), weights=pair.weights, contract=Contract(), against=path)


def _alone(pair: Pair, key: str) -> Pair:
    """Return a pair with one of its sides, and with what is said of that."""
    return pair.only(
        key,
        oracle=None,
        like=None,
        reference=None,
        weights={},
        rename={side: names for side, names in pair.rename.items() if side == key},
        python={side: path for side, path in pair.python.items() if side == key},
    )
