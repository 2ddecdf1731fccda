"""Asks for the devices in a worker process, so that the caller's process imports no framework."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from porting.engine.preload import preload
from porting.errors import PortingError
from porting.parity.plan import Devices, devices_here
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
            if isinstance(said, PortingError):
                raise said
            _known[ours[index]] = said
    return found | {runner: _known[runner] for runner in ours}


def answer(key: str, announce: Callable[[str], None]) -> Iterator[Mapping[str, str | None] | PortingError]:
    """Say in a worker which devices one of our runners has."""
    announce("import")
    runner = RUNNERS[key]
    try:
        yield devices_here([runner])[runner]
    except PortingError as error:
        yield error
