"""What a worker of any executor does: it checks one chunk in a process below its own, so that no op takes it along."""

import json
import threading
import weakref
from typing import Final

from porting.engine.check import reported
from porting.engine.isolate import answered, pool_for
from porting.parity.budget import Budget
from porting.parity.plan import Plan
from porting.parity.report import Report
from porting.sweep.chunk import Chunk
from porting.workers.fate import MEMORY
from porting.workers.pool import Pool

_TRIES: Final = 2
_OWN: Final = threading.local()
_POOLS: Final[weakref.WeakSet[Pool]] = weakref.WeakSet()


def work(chunk: Chunk) -> list[str]:
    """Return the report of each seed as one line of JSON."""
    return [json.dumps(json.loads(_checked(chunk, seed).to_json())) for seed in chunk.seeds]


def stop() -> None:
    """End the processes below this one; whoever waits for one of them ends with an exception."""
    for pool in list(_POOLS):
        pool.close()


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
        _POOLS.add(found)
    return found
