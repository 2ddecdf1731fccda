"""Asks for the devices in a worker process, so that the caller's process imports no framework."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from porting.engine.preload import preload
from porting.parity.plan import BROKEN, BrokenFrameworkError, Devices, devices_here
from porting.runners import RUNNERS, Runner
from porting.workers.pool import Ended, Pool, WorkerError

_known: Final[Devices] = {}  # a run of many checks asks once
_PATIENCE: Final = 300.0  # seconds for a framework to be imported and to look at the devices, on a busy machine


def devices_elsewhere(runners: Sequence[Runner], instead: str = "") -> Devices:
    """Return the devices of each runner; a runner whose framework is not loaded here is asked in a worker.

    The worker is forked from the same server as the workers of the check that follows.

    Parameters
    ----------
    runners : sequence of Runner
        Who is asked.
    instead : str
        What the user can do where no worker can be started.

    Raises
    ------
    WorkerError
        If the worker cannot be started, or ends.
    """
    ours = [r for r in runners if r is RUNNERS.get(r.key) and r.module not in sys.modules]
    found = devices_here([runner for runner in runners if runner not in ours])
    if all(runner in _known for runner in ours):
        return found | {runner: _known[runner] for runner in ours}
    modules = preload(runner.module for runner in ours)
    # No memory limit, as CUDA maps a lot; so it is not one of the workers of the check.
    with Pool(1, f"{__name__}:answer", timeout=_PATIENCE, preload=modules, instead=instead) as pool:
        for index, said in pool.run([runner.key for runner in ours]):
            if isinstance(said, Ended):
                raise WorkerError(f"{ours[index].title} does not say which devices there are: its process {said.how}")
            _known[ours[index]] = said
    return found | {runner: _known[runner] for runner in ours}


def importable(
    keys: Sequence[str], *, named: bool, devices_of: Callable[[Sequence[Runner]], Devices] = devices_here
) -> tuple[list[str], dict[str, str]]:
    """Return the frameworks that can be imported here, and why the others cannot.

    Parameters
    ----------
    keys : sequence of str
        Frameworks that are installed.
    named : bool
        Whether the user has named them.
    devices_of : callable
        Tells the devices of all runners at once, here or in a worker.

    Raises
    ------
    BrokenFrameworkError
        If one that the user has named cannot be imported.
    """
    there = devices_of([RUNNERS[key] for key in keys])
    broken = {key: why for key in keys if (why := there[RUNNERS[key]].get(BROKEN))}
    if named and broken:
        raise BrokenFrameworkError(broken)
    return [key for key in keys if key not in broken], broken


def answer(key: str, announce: Callable[[str], None]) -> Iterator[Mapping[str, str | None]]:
    """Say in a worker which devices one of our runners has."""
    announce("import")
    runner = RUNNERS[key]
    yield devices_here([runner])[runner]
