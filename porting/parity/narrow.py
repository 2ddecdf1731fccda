"""Sides that take float32 alone: they raise in float64, as where a constant was cast, and work in float32."""

from typing import Final

import numpy as np

from porting.dtypes import FLOATS
from porting.numeric import samples
from porting.pairs.pair import Pair
from porting.parity.cases import Cases
from porting.runners import RUNNERS, Case, Raised, Runner, runner_of
from porting.spec import Op

WIDE: Final = "float64"
NARROW: Final = "float32"


def narrow(pair: Pair) -> str:
    """Return who takes float32 alone, and what is raised otherwise; empty if nobody does, or the types were given."""
    if any(a.dtype in FLOATS for a in pair.inputs.values()):
        return ""
    for key in pair.sides:
        op = pair.on(key)
        raised = _only_in_float64(op, runner_of(pair, key))
        if raised is not None:
            said = f"in float64 its {raised.stage} raised {raised}, at {raised.where}"
            judged = f"to have that judged: --input {op.wrt[0]}=float64"
            return f"{RUNNERS[key].title} takes float32 alone ({said}); {judged}"
    return ""


def _only_in_float64(op: Op, runner: Runner) -> Raised | None:
    settings = runner.state()
    try:
        raised = _raised(op, runner, WIDE)
        return raised if raised is not None and _raised(op, runner, NARROW) is None else None
    finally:
        runner.restore(settings)


def _raised(op: Op, runner: Runner, dtype: str) -> Raised | None:
    """Return what an everyday case raises in a type."""
    inputs = Cases(op, dtype).draw(samples.generator(0, op.name, "narrow"))
    forward = runner.run(Case(op, dtype, inputs))
    if forward.raised is not None:
        return forward.raised
    return runner.run(Case(op, dtype, inputs, tuple(np.ones_like(y) for y in forward.value))).raised
