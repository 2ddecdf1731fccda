"""TensorFlow's own checker on the same ops: `tf.test.compute_gradient`.

It returns two Jacobians, by the gradient and by differences, and leaves it to the user to compare them. Here they
differ if the largest gap exceeds 1e-4 of the largest element, or of 1 if that is smaller: 1e-4 is what most of its own
tests in TensorFlow allow at the default step of 1/1024, which makes errors of about 1e-6 in float64.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from porting.runners import RUNNERS, Case

PEERS: Final = ("compute_gradient",)
_BOUND: Final = 1e-4


def caught(cases: Sequence[Case], seed: int) -> dict[str, bool]:
    """Return whether it accuses the TensorFlow twin on any of the cases: it raises, or the Jacobians differ."""
    import tensorflow as tf

    settings = RUNNERS["tf"].state()
    if any(map(_changes, cases)):  # only then: TensorFlow forgets all its kernels
        tf.random.set_seed(seed)
    try:
        return dict.fromkeys(PEERS, any(_accuses(case) for case in cases))
    finally:
        RUNNERS["tf"].restore(settings)


def _changes(case: Case) -> bool:
    """Tell whether the gradient is another one at the second call, as with a random part."""
    first, second = (RUNNERS["tf"].run(case).vjp for _ in range(2))
    return any(repr(a) != repr(b) for a, b in zip(first, second, strict=True))


def _accuses(case: Case) -> bool:
    """Try each output by itself, since it takes functions of one output; integer inputs stand fixed."""
    outputs = len(case.dy or ())
    try:
        return any(_differ(_function(case, k if outputs > 1 else None), case) for k in range(outputs))
    except Exception:  # noqa: BLE001 - whatever it raises is its way to accuse
        return True


def _function(case: Case, output: int | None) -> Callable[..., Any]:
    twin = case.op.twin("tf")

    def function(*xs: Any) -> Any:
        inputs = {**case.inputs, **dict(zip(case.op.wrt, xs, strict=True))}
        result = twin(*inputs.values(), **case.statics)
        return result if output is None else result[output]

    return function


def _differ(function: Callable[..., Any], case: Case) -> bool:
    import tensorflow as tf

    theirs, differences = tf.test.compute_gradient(function, [case.inputs[name] for name in case.op.wrt])
    for got, want in zip(theirs, differences, strict=True):
        scale = max(1.0, float(np.abs(want).max(initial=0)))
        if not np.abs(got - want).max(initial=0) <= _BOUND * scale:  # so that NaN differs
            return True
    return False
