"""A number too many."""

from typing import Final

import numpy as np

from porting.diagnosis.cause import SURROGATE, cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.example import Arrays, Example
from porting.diagnosis.experiments import constant

_NO_FACTOR: Final = 1e-6  # this close to -1 it is `wrong_sign`, to 1 a number of float32


def _divided(e: Evidence, example: Example) -> Arrays | None:
    names = e.example.wrong if e.example else ()
    return {name: g / _factor(e, example, name) if name in names else g for name, g in example.got.items()}


def _factor(e: Evidence, example: Example, name: str) -> float:
    """Return the number: it may follow from the shape, and a few elements do not show it."""
    found = (constant(at.got[name], at.want[name]) for at in (example, e.example) if at)
    return next((factor for factor in found if factor is not None), 1.0)


@cause(
    rank=51,
    torch="Put the number in, or take it out: the exponent, the 1/n of a mean, the 2 of a square.",
    tf="Put the number in, or take it out: the exponent, the 1/n of a mean, the 2 of a square.",
    meant=SURROGATE,
    repair=_divided,
)
def constant_factor(e: Evidence) -> str | None:
    """The gradient is the true one times a constant.

    The exponent of a power, the 1/n of a mean, a 2 or a 1/2 was forgotten or counted twice.
    """
    if e.example is None:
        return None
    parts = []
    for name in e.example.wrong:
        factor = constant(e.example.got[name], e.example.want[name])
        if factor is None or abs(abs(factor) - 1) < _NO_FACTOR:
            return None
        length = e.example.want[name].shape[-1] if e.example.want[name].ndim else 1
        known = {length: "the length of the last axis", 1 / max(length, 1): "1 / the length of the last axis"}
        known |= {e.example.want[name].size: "the number of elements"}
        says = next((f" ({text})" for value, text in known.items() if np.isclose(factor, value) and length > 2), "")
        parts.append(f"gradient of {name} is {factor:.12g} times the true one{says}")
    return ", ".join(parts)
