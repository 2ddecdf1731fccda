"""Sides that take float32 only: they raise in float64, as where a constant was cast, and work in float32.

That is looked for where something is lacking only: it calls the op a few times more.
"""

from typing import Final
from weakref import WeakKeyDictionary

import numpy as np

from porting.dtypes import FLOATS, complex_of
from porting.numeric import samples
from porting.pairs.array import COMPLEX
from porting.pairs.guess import typed
from porting.pairs.pair import Pair
from porting.parity.cases import Cases
from porting.runners import RUNNERS, Case, Raised, Runner, runner_of
from porting.spec import Op

WIDE: Final = "float64"
NARROW: Final = "float32"
_TURN: Final = np.exp(1j)


_SAID: WeakKeyDictionary[Pair, str] = WeakKeyDictionary()


def narrow(pair: Pair) -> str:
    """Return who takes float32 only, and what is raised otherwise; empty if nobody does, or the types were given.

    With an oracle, a recording or another interpreter nothing is looked for.
    """
    if pair not in _SAID:
        given = any(a.dtype in {*FLOATS, *COMPLEX} for a in pair.inputs.values())
        known = given or pair.oracle is not None or pair.against is not None or bool(pair.python)
        _SAID[pair] = "" if known else _looked_for(pair)
    return _SAID[pair]


def types_are_guessed(pair: Pair) -> None:
    """Look for it although types are described: nobody said them."""
    _SAID[pair] = _looked_for(pair)


def _looked_for(pair: Pair) -> str:
    for key in pair.compared:
        op = pair.on(key)
        raised = _only_in_float64(op, runner_of(pair, key))
        if raised is not None:
            said = f"in float64 its {raised.stage} raised {raised}, at {raised.where}"
            said_of = ((name, pair.inputs.get(name)) for name in op.inputs)
            flags = [f'--input "{a.part or name}={a}"' if a else f'--input "{name}={WIDE}"' for name, a in said_of]
            flags += [typed(name, value) for name, value in pair.statics.items()]
            judged = f"to have that judged: {' '.join(flags)}"
            only = complex_of(NARROW) if op.complex_inputs else NARROW
            return f"{RUNNERS[key].title} takes {only} only{_with_numbers(pair)} ({said}); {judged}"
    return ""


def _with_numbers(pair: Pair) -> str:
    """Return which of its arguments are numbers of Python: a tensor in their place may be of the other type."""
    numbers = ", ".join(name for name, value in pair.statics.items() if type(value) is float)
    return f" with numbers of Python for {numbers}" if numbers else ""


def _only_in_float64(op: Op, runner: Runner) -> Raised | None:
    settings = runner.state()
    try:
        raised = _raised(op, runner, WIDE)
        if raised is None or _raised(op, runner, NARROW) is not None:
            return None
        again = [_raised(op, runner, dtype) for dtype in (WIDE, NARROW, WIDE, NARROW)]  # one may raise now and then
        return raised if [found is None for found in again] == [False, True, False, True] else None
    finally:
        runner.restore(settings)


def _raised(op: Op, runner: Runner, dtype: str) -> Raised | None:
    """Return what an everyday case raises in a type."""
    inputs = Cases(op, dtype).draw(samples.generator(0, op.name, "narrow"))
    if op.complex_inputs:
        inputs = op.in_complex(inputs, lambda x: (x * _TURN).astype(complex_of(dtype)))
    forward = runner.run(Case(op, dtype, inputs))
    if forward.raised is not None:
        return forward.raised
    return runner.run(Case(op, dtype, inputs, tuple(np.ones_like(y) for y in forward.value))).raised
