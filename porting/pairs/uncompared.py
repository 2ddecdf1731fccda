"""Numbers by default that have a gradient on all sides: as numbers they are given, and nothing of it is compared."""

import re
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from porting.errors import PortingError
from porting.pairs.array import array
from porting.pairs.suitable import Ops, answers_of

_EPS: Final = re.compile(r"(?i)eps\w*|\w*tol(erance)?")  # which nobody learns


def uncompared(pair: Any, ops: Ops) -> list[str]:
    """Return a line for each such argument: what compares it.

    Parameters
    ----------
    pair : porting.Pair
        The pair, whose sides take arrays of any shape or those that are described.
    ops : callable
        Given such a pair, returns the op of each side and who answers for it.
    """
    found = []
    op, _ = next(iter(ops(pair).values()))
    for name, value in op.settings(pair.statics).items():
        if name in pair.statics or not isinstance(value, float) or _EPS.fullmatch(name):
            continue
        inputs = {**{n: pair.inputs.get(n) or array() for n in op.inputs}, name: array(())}
        with suppress(PortingError):
            if _has_gradient(replace(pair, inputs=inputs), ops, name):
                flags = " ".join(f'--input "{n}={given}"' for n, given in inputs.items())
                found.append(f"{name}: a number by default, of which no gradient is compared; {flags} compares it")
    return found


def _has_gradient(pair: Any, ops: Ops, name: str) -> bool:
    """Whether all sides have a gradient by an input that is not 0."""
    for op, runner in ops(pair).values():
        _, outcome = next(answers_of(pair, op, runner))
        gradient = outcome.vjp[op.wrt.index(name)] if outcome.raised is None and name in op.wrt else None
        if gradient is None or not gradient.any():
            return False
    return True
