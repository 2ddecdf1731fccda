"""Numbers left at their defaults that a backward has a gradient for, as ``reverse(x, scale=1.0)`` has.

``tf.custom_gradient`` counts the arguments that are given by place, so that such a backward raises where the default is
left out. Everybody who uses the function gives the number.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from porting.pairs.guess import Guess, of_arrays
from porting.pairs.suitable import Ops

_NUMBERS: Final = (bool, int, float)


def given_defaults(pair: Any, names: Sequence[str], why: str, ops: Ops) -> Guess | None:
    """Return what the inputs are with each number given what its default is, if all sides take that.

    Parameters
    ----------
    pair : porting.Pair
        Of whose inputs nothing is said.
    names : sequence of str
        The inputs.
    why : str
        What a side says whose backward raises.
    ops : callable
        Given a pair, returns the op of each side and who answers for it.
    """
    op = next(iter(ops(pair).values()))[0]
    given = {n: d for n, d in op.statics.items() if n not in pair.statics and isinstance(d, _NUMBERS)}
    tried = replace(pair, statics={**pair.statics, **given})
    if not given or tried.guess() is not None or tried.advice:  # it raises for another reason
        return None
    found = of_arrays(tried, given, names)
    return found.with_(found.pair, why.replace("arrays of any shape", f"{', '.join(given)} left out"))
