"""The chain rule."""

import re
from typing import Final

import numpy as np

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.example import Array, Arrays, Example, size
from porting.diagnosis.experiments import INNER, constant, finite, inner_values, proportional

_CONSTANT: Final = 1e-3  # of the largest: what varies by less at all elements is no function of the input


def _inner(e: Evidence, example: Example, name: str) -> tuple[Array, str] | None:
    """Return the gradient of one input with the factor put right, and what was done."""
    got, want = example.got[name], example.want[name]
    for by, x in inner_values(e, example.case).items():
        if x.shape != got.shape or not finite(got):
            continue
        for text, inner in INNER.items():
            with np.errstate(all="ignore"):
                g = inner(x)
                times, by_it = got * g, got / g
            if np.ptp(g[(got != 0) | (want != 0)]) <= _CONSTANT * size(g):
                continue
            if (factor := proportional(want, times)) is not None:
                return factor * times, f"lacks the factor {_product(factor, _of(text, by))}"
            if (factor := proportional(got, want * g)) is not None:
                return by_it / factor, f"has too much the factor {_product(factor, _of(text, by))}"
    return None


def _of(text: str, name: str) -> str:
    """Return a formula of x with another name: the x of exp is none."""
    return re.sub(r"\bx\b", name, text)


def _product(number: float, inner: str) -> str:
    """Say a factor for people, without a 1."""
    said, of = f"{number:.6g}", f"({inner})" if " " in inner else inner
    return {"1": inner, "-1": f"-{of}"}.get(said, f"{said} * {of}")


def _completed(e: Evidence, example: Example) -> Arrays | None:
    mended = dict(example.got)
    for name in example.wrong:
        found = _inner(e, example, name)
        if found is not None:
            mended[name] = found[0]
    return mended


@cause(
    rank=53,
    repair=_completed,
    of_gradients=True,
    by_input=True,
)
def missing_inner_derivative(e: Evidence) -> str | None:
    """The derivative of an inner function is missing, or counted twice.

    The gradient differs from the true one by a factor that depends on the input alone, and that factor is itself a
    simple function of the input: what the chain rule would have given.
    """
    example = e.example
    if example is None or e.value_wrong:
        return None
    name, mask = next(iter(example.wrong.items()))
    if constant(example.got[name], example.want[name]) is not None or mask.sum() < 3:
        return None
    found = _inner(e, example, name)
    return f"{example.worst}: it {found[1]}" if found else None
