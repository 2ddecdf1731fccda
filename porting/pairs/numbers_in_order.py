"""Numbers of Python that were guessed to be equal, and between which nothing is left: they are given in order."""

from dataclasses import replace
from typing import Final

import numpy as np

from porting.pairs.guess import Guess, Names
from porting.pairs.suitable import STILL, TAKEN, Ops, works

_ENDS: Final = (-1.0, 1.0)


def numbers_in_order(found: Guess, _: Names, ops: Ops) -> Guess | None:
    """Return the same with equal numbers in the order of the arguments, if nothing depends on the inputs so.

    Bounds that nobody gave are one number each: ``clip(x, 0.5, 0.5)`` is 0.5 for any x.
    """
    equal = [n for n, value in found.settings.items() if type(value) in {int, float}]
    values = {found.settings[n] for n in equal}
    if len(equal) < 2 or len(values) > 1 or works(found.pair, ops)[0] > STILL:
        return None
    spread = dict(zip(equal, np.linspace(*_ENDS, len(equal)).round(2).tolist(), strict=True))
    tried = replace(found.pair, statics={**found.pair.statics, **spread})
    if works(tried, ops)[0] < TAKEN:
        return None
    better = replace(found, settings={**found.settings, **spread}, still=False)
    return better.with_(tried, f"{' < '.join(equal)}: nothing depends on the inputs where they are equal")
