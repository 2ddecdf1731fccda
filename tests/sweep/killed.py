"""A long sweep whose worker and command are killed, and what two workers bring: the figures of docs/guide/sweeps.md.

``python tests/sweep/killed.py 16667`` sweeps 100,002 checks on the processes of this machine and again on a dask
scheduler with two workers. A worker is killed after a fifth of the units, the command after half of them; then the same
command goes on with ``--resume``.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import psutil
from test_dask import CHECKS, cluster, worker_of

WORDS = ["sin_squared", "--dtype", "float64", "--log", "a.jsonl", "-q"]
ORACLE = ["--runner", "oracle"]  # whose checks take a thousandth of a second each
TORCH, FEW = ["--runner", "torch"], 600  # seeds of a framework's checks, for one worker and for two


def command(folder, seeds, *words):
    """Start a sweep over so many seeds."""
    return subprocess.Popen(
        [sys.executable, "-m", "porting", "check", *WORDS, "--seeds", f"0:{seeds}", *words],
        cwd=folder, env={**os.environ, "COLUMNS": "200"}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip


def units_in(folder):
    """Count the lines of the log that are whole, its header left out."""
    log = folder / "a.jsonl"
    return max(0, log.read_bytes().count(b"\n") - 1) if log.exists() else 0


def wait_for(folder, units, process):
    """Wait until so many units are done."""
    while units_in(folder) < units:
        if process.poll() is not None:
            raise RuntimeError(f"the command ended with {process.returncode}: {process.stdout.read()}")
        time.sleep(0.05)


def worker_below(process):
    """Return a process below the command that does its work."""
    below = psutil.Process(process.pid).children(recursive=True)
    return max(below, key=lambda child: sum(child.cpu_times()[:2])).pid


def killed(folder, seeds, units, victim, *words):
    """Sweep, kill a worker and the command on the way, go on, and return what stands at the end."""
    process = command(folder, seeds, *ORACLE, *words)
    wait_for(folder, units // 5, process)
    os.kill(victim(process), signal.SIGKILL)
    wait_for(folder, units // 2, process)
    process.kill()
    process.communicate()
    before = units_in(folder)
    process = command(folder, seeds, *ORACLE, "--resume", *words)
    out, _ = process.communicate()
    with (folder / "a.jsonl").open() as lines:
        next(lines)
        times = Counter(json.loads(line)["chunk"] for line in lines)
    once = set(times) == set(range(units)) and set(times.values()) == {1}
    said = next(line for line in out.splitlines() if " seeds: " in line)
    return f"{before:,} of {units:,} units when killed; each once at the end: {once}; exit {process.returncode}; {said}"


def main():
    """Print the figures."""
    seeds = int(sys.argv[1])
    units = -(-seeds // -(-16 // CHECKS))
    say = sys.stdout.write
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        say(f"{seeds * CHECKS:,} checks on this machine: {killed(folder, seeds, units, worker_below, '--jobs', '2')}\n")
    with tempfile.TemporaryDirectory() as name, cluster(Path(name)) as (where, (_, nanny, _)):
        done = killed(Path(name), seeds, units, lambda _: worker_of(nanny), "--executor", where)
        say(f"{seeds * CHECKS:,} checks on dask: {done}\n")
    took = {}
    for jobs in (1, 2):
        with tempfile.TemporaryDirectory() as name:
            begun = time.monotonic()
            command(Path(name), FEW, *TORCH, "--jobs", str(jobs)).communicate()
            took[jobs] = time.monotonic() - begun
    say(f"two workers: {took[1] / took[2]:.2f} times as fast as one ({took[1]:.0f} and {took[2]:.0f} s)\n")


if __name__ == "__main__":
    main()
