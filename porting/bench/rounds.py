"""Interleaved rounds: everything that is compared runs once in each round, in a changing order.

The clock is the CPU time of the process, which runs one thread: the time in which other processes had the core is not
counted. On a quiet machine this is the elapsed time. On a busy machine its spread is a fraction of the spread of the
elapsed time. The effect of other processes on caches and on memory bandwidth remains, as noise. On a GPU the clock is
the elapsed time.
"""

import gc
import time
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

_SHORTEST: Final = 1e-3  # seconds of one measurement: shorter calls are repeated within it
_FEWEST: Final = 5  # rounds, whatever the budget

Name = TypeVar("Name")


def interleaved(
    steps: Mapping[Name, Callable[[], Any]],
    rounds: int,
    *,
    budget: float = 10.0,
    clock: Callable[[], float] = time.process_time,
) -> dict[Name, list[float]]:
    """Time each step in each round.

    Parameters
    ----------
    steps : mapping of name to callable
        All of them have run before, so that nothing is compiled here.
    rounds : int
        How many; fewer, but no fewer than 5, where they would take longer than the budget.
    budget : float
        Seconds.
    clock : callable
        Tells seconds.

    Returns
    -------
    dict of name to list of float
        Seconds of one call, per round.
    """
    repeats: dict[Name, int] = {}
    whole = 0.0
    for name, step in steps.items():
        once = min(_seconds(step, 1, clock), _seconds(step, 1, clock))
        repeats[name] = max(1, min(200, int(_SHORTEST / max(once, 1e-7))))
        whole += once * repeats[name]
    rounds = min(rounds, max(_FEWEST, int(budget / whole)))
    found: dict[Name, list[float]] = {name: [] for name in steps}
    names = list(steps)
    collecting = gc.isenabled()
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        for k in range(rounds):
            for name in names[k % len(names) :] + names[: k % len(names)]:
                found[name].append(_seconds(steps[name], repeats[name], clock))
            gc.collect()  # tapes are cycles; not within a measurement
    finally:
        gc.unfreeze()
        if collecting:
            gc.enable()
    return found


def _seconds(step: Callable[[], Any], repeats: int, clock: Callable[[], float]) -> float:
    began = clock()
    for _ in range(repeats):
        step()
    return (clock() - began) / repeats
