"""Measures memory: what is kept for the backward, how it grows with iterations, and the peak of a stack of layers."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final

from porting.bench.growth import ITERATIONS, exponent, iteration_static
from porting.bench.modes import backend_of
from porting.bench.process import NoAnswerError, Process
from porting.bench.resident import measurable
from porting.bench.result import Kept, Peak
from porting.bench.subjects import SUBJECTS
from porting.pairs.pair import Pair
from porting.spec import Op

STACKED: Final = "swish"  # the op whose stack is measured: its composition keeps two tensors a layer, one is enough
STACK_SIZE: Final = 2**22
_SIZE: Final = 2**18  # elements: enough to tell a tensor from what Python needs
_SEEN: Final = 0.01  # of an input: less is what Python needs, not what is kept
_STACK_MODES: Final = ("torch-eager", "tf-eager", "tf-function", "tf-xla")


def named(op: Op | Pair) -> str | Pair:
    """Return what a measuring process finds it by: the name of an op, a pair itself."""
    return op.name if isinstance(op, Op) else op


def keeps(process: Process, op: Op | Pair, backend: str, dtype: str, size: int = _SIZE) -> Kept | None:
    """Measure what one op keeps for its backward, or return nothing if that cannot be measured."""
    if backend == "tf" and not measurable():
        return None
    ask = {"task": "kept", "op": named(op), "backend": backend, "dtype": dtype, "size": size}
    try:
        inputs = process.ask({**ask, "statics": {}})
        static = iteration_static(op) if isinstance(op, Op) else None
        counted = {n: process.ask({**ask, "statics": {static: n}}) for n in ITERATIONS} if static else {}
    except NoAnswerError:
        return None
    subjects = set.intersection(*(set(found) for found in counted.values())) if counted else ()
    growth = {
        s: exponent([(n, max(found[s], _SEEN)) for n, found in counted.items()]) for s in SUBJECTS if s in subjects
    }
    return Kept(op.name, backend, inputs, growth)


def stack_modes(modes: Sequence[str]) -> list[str]:
    """Return the modes that the stack is measured in here."""
    return [mode for mode in modes if mode in _STACK_MODES] if measurable() else []


def stack(
    process: Process, op: Op, mode: str, *, size: int = STACK_SIZE, on_result: Callable[[], None] = lambda: None
) -> Peak:
    """Measure the peak of the stack in one mode, each subject in a fork of a process that has measured nothing."""
    tensors: dict[str, float] = {}
    for subject in SUBJECTS:
        ask: dict[str, Any] = {"task": "peak", "op": op.name, "backend": backend_of(mode), "size": size}
        with suppress(NoAnswerError):  # there may be no built-in
            tensors[subject] = process.ask({**ask, "mode": mode.partition("-")[2], "subject": subject})
        on_result()
    return Peak(op.name, mode, tensors)
