"""Measures one op at one size in one framework: its subjects in all modes, in the same rounds as floor and limit."""

import time
from collections.abc import Callable, Generator, Mapping, Sequence
from importlib import import_module
from typing import Any, Final

import numpy as np

from porting.bench.floor import Floor
from porting.bench.kernels import fastest, steps
from porting.bench.limit import limit
from porting.bench.needed import Needed
from porting.bench.problem import Problem
from porting.bench.rounds import interleaved
from porting.bench.subjects import TWIN
from porting.runners.base import Array, Raised

FLOOR, LIMIT = "floor", "limit"
MODULES: Final = {"torch": "porting.bench.on_torch", "tf": "porting.bench.on_tf"}
_LOOSE: Final = {"float16": 2e-2, "bfloat16": 1e-1, "float32": 1e-3, "float64": 1e-3}  # of the largest element
_SAMPLE: Final = 2**16  # elements that are compared
_STRAY: Final = 1e-3  # the part of the elements that may be further off: beside a kink


def adapter(backend: str, problem: Problem, twin: Callable[..., Any], device: str = "cpu") -> Any:
    """Return the problem in a framework, which is imported here."""
    return import_module(MODULES[backend]).Place(problem, twin, device)


def measuring(
    backend: str,
    problem: Problem,
    functions: Mapping[str, Callable[..., Any]],
    modes: Sequence[str],
    rounds: int,
    *,
    device: str = "cpu",
    needed: Needed = Needed(),  # noqa: B008 - it is frozen
) -> Generator[tuple[str, str], None, dict[str, Any]]:
    """Time every subject in every mode.

    Parameters
    ----------
    backend : {"torch", "tf"}
        The framework.
    problem : Problem
        The op with its inputs.
    functions : mapping of subject to callable
        See `porting.bench.subjects`; one is the twin.
    modes : sequence of str
        Of that framework.
    rounds : int
        How often.
    device : str
        Where.
    needed : Needed
        The kernels that the op cannot do without.

    Yields
    ------
    tuple of str
        Mode and subject, when one is compiled or has failed.

    Returns
    -------
    dict
        ``times``: mode to subject to seconds per round; ``floor``: seconds per round; ``limits``: mode to seconds per
        round; ``floor_bytes``; ``errors``: mode to subject to what was raised; the problem in numbers.
    """
    place = adapter(backend, problem, functions[TWIN], device)
    inputs, outputs, gradients = place.moved
    floor = Floor(inputs, outputs, gradients, place.kit)
    calls: dict[tuple[str, str], Callable[[], Any]] = {}
    errors: dict[str, dict[str, str]] = {mode: {} for mode in modes}
    expected: list[Array] = []
    for mode in modes:
        for subject, function in functions.items():
            try:
                step = place.step(mode, function)
                numbers = place.prepare(mode, step)
                expected = expected or numbers
                reason = differs(numbers, expected, problem.dtype)
                if reason:
                    errors[mode][subject] = reason
                else:
                    calls[mode, subject] = step
            except Exception as error:  # noqa: BLE001 - a subject that cannot run is a row without a time
                errors[mode][subject] = in_one_line(error)
            yield mode, subject
    halves = {(FLOOR, "forward"): floor.forward, (FLOOR, "backward"): floor.backward}
    timed_alone = needed.kernels if device == "cpu" else []
    single = steps(backend, timed_alone, *numbers_of(problem)) if timed_alone else {}
    clock = time.process_time if device == "cpu" else time.perf_counter
    timed = interleaved({**halves, **single, **calls}, rounds, clock=clock)
    forward, backward = (timed[key] for key in halves)
    alone = fastest({key: timed[key] for key in single})
    return {
        "times": {mode: {s: timed[m, s] for m, s in calls if m == mode} for mode in modes},
        "floor": [a + b for a, b in zip(forward, backward, strict=True)],
        "limits": {mode: limit(mode, needed, (forward, backward), alone) for mode in modes},
        "floor_bytes": floor.bytes,
        "errors": errors,
        "elements": problem.elements,
        "input_bytes": problem.input_bytes,
        "shapes": problem.shapes,
    }


def numbers_of(problem: Problem) -> tuple[Array, Array]:
    """Return what single kernels are timed with: the first floating input, and a cotangent of its shape."""
    x = next(x for name, x in problem.inputs.items() if name not in problem.op.contract.integers)
    return x, problem.cotangents([x.shape])[0]


def differs(numbers: Sequence[Array], expected: Sequence[Array], dtype: str) -> str:
    """Say if a subject does not compute the same as the twin: timings of different functions cannot be compared."""
    if len(numbers) != len(expected):
        return f"computes {len(numbers)} outputs and gradients, the twin {len(expected)}"
    for k, (x, want) in enumerate(zip(numbers, expected, strict=True)):
        if x.shape != want.shape:
            return f"computes something else: shape {list(x.shape)}, the twin {list(want.shape)} (number {k})"
        step = 1 + x.size // _SAMPLE
        a, b = (array.ravel()[::step].astype(np.float64) for array in (x, want))
        a, b = a[np.isfinite(b)], b[np.isfinite(b)]
        if not b.size:
            continue
        size = np.maximum(np.quantile(np.abs(b), 0.99), np.abs(b))
        off = 1 - np.mean(np.abs(a - b) <= _LOOSE[dtype] * size)  # NaN is off
        if off > _STRAY:
            return f"computes something else than the twin in {off:.1%} of its elements (number {k})"
    return ""


def in_one_line(error: BaseException) -> str:
    """Return type and message, shortened: the message of a compiler fills pages."""
    return " ".join(str(Raised("", type(error).__name__, str(error), "")).split())[:200]


def kept(backend: str, problem: Problem, twin: Callable[..., Any], function: Callable[..., Any]) -> int:
    """Return the bytes that one subject keeps for the backward, eagerly."""
    if backend == "torch":
        return int(adapter(backend, problem, twin).saved(function))
    return int(import_module("porting.bench.held").held(problem, function))
