"""A simulated cluster: workers that sleep as long as a unit takes, and what the rest of a sweep costs beside them.

``python tests/sweep/many_workers.py 100000`` prints the figures of docs/guide/sweeps.md: 32 workers in four processes
on a scheduler of its own, each unit half a second, each with the report of three seeds of an op.
"""

import json
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from unittest import mock

from distributed import LocalCluster

from porting import check
from porting.sweep import hand_out
from porting.sweep.cluster import PREFIX, connected
from porting.sweep.sweep import Sweep, sweep
from porting.sweep.work import Done

WHAT = {"runners": ["oracle"], "dtypes": ["float64"]}
OP = "sin_squared"
SEEDS = 3  # of a unit of this op
PROCESSES, THREADS = 4, 8


@dataclass(frozen=True)
class Sleeps:
    """What a worker does in place of `porting.sweep.work.work`."""

    seconds: float
    report: str

    def __call__(self, chunk):
        time.sleep(self.seconds)
        return Done([self.report for _ in chunk.seeds], "here")


@dataclass
class Watch:
    """When each unit was done, and how much memory this process had then, in MiB."""

    times: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)

    def __call__(self, _):
        self.times.append(time.monotonic())
        if len(self.times) % 100 == 1:
            self.memory.append(int(Path("/proc/self/statm").read_text().split()[1]) / 256)


def swept(units, seconds, log) -> tuple[Sweep, Watch]:
    """Sweep so many units over the workers."""
    report = json.dumps(json.loads(check(OP, **WHAT).to_json()))
    watch = Watch()
    with (
        LocalCluster(n_workers=PROCESSES, threads_per_worker=THREADS, dashboard_address=":0") as cluster,
        connected(cluster.scheduler_address.replace("tcp://", PREFIX)) as executor,
        mock.patch.object(hand_out, "work", Sleeps(seconds, report)),
    ):
        found = sweep(OP, seeds=range(SEEDS * units), executor=executor, log=log, on_chunk=watch, **WHAT)
    return found, watch


def share(watch, seconds):
    """Return which part of the time was no sleep, without the first and last units, when not all workers are busy."""
    units = len(watch.times)
    first, last = units // 5, units - units // 20
    return 1 - (last - first) * seconds / (PROCESSES * THREADS) / (watch.times[last] - watch.times[first])


def main():
    """Print the figures."""
    units, seconds = int(sys.argv[1]), 0.5
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "sweep.jsonl"
        cpu = time.process_time()
        found, watch = swept(units, seconds, log)
        cpu = time.process_time() - cpu
        size = log.stat().st_size
        sys.stdout.write(
            f"{found.done:,} units, {found.cases:,} cases, {watch.times[-1] - watch.times[0]:,.0f} s\n"
            f"beside the work: {share(watch, seconds):.2%} of the time\n"
            f"this process: {watch.memory[1]:.0f} MiB, at the end {watch.memory[-1]:.0f}\n"
            f"this process: {1e3 * cpu / units:.1f} ms a unit\n"
            f"log: {size / units / 2**10:.1f} KiB a unit, {size / 2**20:,.0f} MiB\n"
        )


if __name__ == "__main__":
    main()
