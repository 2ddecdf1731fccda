"""What a worker of any executor does: it checks one chunk in a process below its own, so that no op takes it along."""

import json
import platform
import threading
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.util import Finalize
from typing import Final

import porting
from porting.engine.check import environment_of, reported
from porting.engine.devices import devices_elsewhere
from porting.engine.isolate import answered, instead_of_workers, pool_for
from porting.errors import PortingError
from porting.parity.budget import Budget
from porting.parity.plan import Plan, Task
from porting.parity.report import Report
from porting.runners import RUNNERS, Runner
from porting.sweep.chunk import Chunk
from porting.workers.fate import MEMORY
from porting.workers.pool import Pool

_TRIES: Final = 2
_OWN: Final = threading.local()
_POOLS: Final[weakref.WeakSet[Pool]] = weakref.WeakSet()
_END: Final = 20  # priority: before a process that ends waits for its children


class VersionError(PortingError, RuntimeError):
    """A worker has other versions than the command."""


@dataclass(frozen=True)
class Done:
    """A chunk that is done.

    Attributes
    ----------
    reports : list of str
        Of each seed, as one line of JSON.
    where : str
        The machine that did it.
    """

    reports: list[str]
    where: str


def work(chunk: Chunk) -> Done:
    """Check one chunk.

    Raises
    ------
    VersionError
        If this worker has other versions than are wanted.
    """
    _ensure_same(chunk)
    reports = [json.dumps(json.loads(_checked(chunk, seed).to_json())) for seed in chunk.seeds]
    return Done(reports, platform.node())


def versions_of(tasks: Sequence[Task]) -> dict[str, str]:
    """Return the versions of everything that some tasks use."""
    return {"gradport": porting.__version__, **environment_of(tasks)}


def devices(asked: Sequence[str | Runner]) -> list[Mapping[str, str | None]]:
    """Return the devices that this worker has for each runner, as `Runner.devices` says; ours are asked by key."""
    runners = [RUNNERS[runner] if isinstance(runner, str) else runner for runner in asked]
    found = devices_elsewhere(runners, instead_of_workers(isolated=True))
    return [found[runner] for runner in runners]


def stop() -> None:
    """End the processes below this one; whoever waits for one of them ends with an exception."""
    for pool in list(_POOLS):
        pool.close()


def _ensure_same(chunk: Chunk) -> None:
    wanted = chunk.settings.environment
    if wanted is None:
        return
    here = versions_of(chunk.tasks)
    other = [f"{key} {here[key]}, not {wanted[key]}" for key in here if here[key] != wanted.get(key, here[key])]
    if other:
        raise VersionError(
            f"the worker on {platform.node()} has {'; '.join(other)}; install the same there, or --any-version"
        )


def _checked(chunk: Chunk, seed: int) -> Report:
    """Check one seed; again, if the process below was killed: an op that needs too much memory is killed twice."""
    for _ in range(_TRIES):
        said = answered(_pool(chunk), chunk.tasks, seed, Budget())
        report = reported(Plan(chunk.tasks, {}), said, accepted=chunk.settings.accepted, strict=chunk.settings.strict)
        if not _was_killed(report):
            break
    return report


def _was_killed(report: Report) -> bool:
    return any(f.code == "process_ended" and f.fields["reason"] == MEMORY for r in report.results for f in r.findings)


def _pool(chunk: Chunk) -> Pool:
    """Return the process of this thread, which keeps what it has traced and compiled for the next seed."""
    key = chunk.settings.timeout, chunk.settings.memory
    found: Pool | None = getattr(_OWN, "pool", None)
    if found is None or found.closed or _OWN.key != key:
        if found is not None:
            found.close()
        found = pool_for(chunk.tasks, 1, *key)
        _OWN.pool, _OWN.key = found, key
        if not _POOLS:
            Finalize(None, stop, exitpriority=_END)
        _POOLS.add(found)
    return found
