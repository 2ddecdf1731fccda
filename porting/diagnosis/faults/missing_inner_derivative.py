"""The chain rule."""

import numpy as np

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.experiments import INNER, constant, finite, inner_values, proportional


@cause(
    rank=53,
    torch="Multiply by the derivative of the inner function: d f(g(x)) = f'(g(x)) g'(x).",
    tf="Multiply by the derivative of the inner function: d f(g(x)) = f'(g(x)) g'(x).",
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
    got, want = example.got[name], example.want[name]
    if constant(got, want) is not None:
        return None
    for by, x in inner_values(e, example.case).items():
        if x.shape != got.shape or not finite(got) or mask.sum() < 3:
            continue
        for text, inner in INNER.items():
            with np.errstate(all="ignore"):
                g = inner(x)
            for factor, verb in ((proportional(want, got * g), "lacks"), (proportional(got, want * g), "has too much")):
                if factor is not None:
                    return f"{example.worst}: it {verb} the factor {factor:.6g} {text.replace('x', by)}"
    return None
