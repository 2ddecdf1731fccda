"""A sweep on a real dask scheduler with two workers: killed, broken, resumed; every case is counted once."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest

pytest.importorskip("distributed")
psutil = pytest.importorskip("psutil")  # dask needs it
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="sends signals"),
]
SEEDS = 120
CHECKS = 6  # of sin_squared, on the oracle
WORDS = ["sin_squared", "--runner", "oracle", "--dtype", "float64", "--seeds", f"0:{SEEDS}", "--log", "a.jsonl"]


def free_port():
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return listening.getsockname()[1]


def started(folder, name, *words, **env):
    with (folder / f"{name}.txt").open("w") as out:
        command = [sys.executable, "-m", "distributed.cli.dask_" + words[0], *words[1:]]
        return subprocess.Popen(
            command, cwd=folder, env={**os.environ, **env}, stdout=out, stderr=out, start_new_session=True
        )


@contextmanager
def cluster(folder, workers=2, **env):
    """Yield the address and the processes of a scheduler and its workers; each worker has a nanny that replaces it."""
    port = free_port()
    where = f"tcp://127.0.0.1:{port}"
    running = [started(folder, "scheduler", "scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard")]
    how = ["--nthreads", "1", "--host", "127.0.0.1", "--local-directory", str(folder), "--no-dashboard"]
    running += [started(folder, f"worker{k}", "worker", where, *how, **env) for k in range(workers)]
    try:
        yield f"dask://127.0.0.1:{port}", running
    finally:
        for process in running:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def command(folder, *words):
    return subprocess.Popen(
        [sys.executable, "-m", "porting", "check", *WORDS, *words], cwd=folder, env={**os.environ, "COLUMNS": "200"},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def ended(process):
    out, err = process.communicate(timeout=240)
    return process.returncode, out, err


def chunks(folder):
    path = folder / "a.jsonl"
    lines = path.read_text().splitlines(keepends=True)[1:] if path.exists() else []
    return [json.loads(line)["chunk"] for line in lines if line.endswith("\n")]  # the last one is being written


def wait_for_chunks(folder, count):
    until = time.monotonic() + 120
    while len(chunks(folder)) < count:
        assert time.monotonic() < until
        time.sleep(0.01)


def assert_whole(folder, code, out, err):
    assert code == 0, out + err
    numbers = chunks(folder)
    assert sorted(numbers) == list(range(max(numbers) + 1))
    assert f"{SEEDS} seeds: {CHECKS * SEEDS:,} checks, {len(numbers)} of {len(numbers)} units done" in out


def worker_of(nanny):
    """Return the process of the worker that a nanny has started."""
    children = psutil.Process(nanny.pid).children()
    return next(child.pid for child in children if "spawn_main" in " ".join(child.cmdline()))


def test_a_worker_that_is_killed_loses_nothing(tmp_path):
    with cluster(tmp_path) as (where, (_, first, second)):
        process = command(tmp_path, "--executor", where)
        wait_for_chunks(tmp_path, 3)
        os.kill(worker_of(first), signal.SIGKILL)  # its nanny starts another one
        wait_for_chunks(tmp_path, 8)
        os.killpg(second.pid, signal.SIGKILL)  # with its nanny
        assert_whole(tmp_path, *ended(process))


def test_a_command_that_is_killed_goes_on_from_its_log(tmp_path):
    with cluster(tmp_path) as (where, _):
        process = command(tmp_path, "--executor", where)
        wait_for_chunks(tmp_path, 5)
        process.kill()
        process.communicate()
        assert_whole(tmp_path, *ended(command(tmp_path, "--executor", where, "--resume")))


def test_a_scheduler_that_dies_leaves_what_was_done(tmp_path):
    with cluster(tmp_path) as (where, (scheduler, *_)):
        process = command(tmp_path, "--executor", where)
        wait_for_chunks(tmp_path, 5)
        os.killpg(scheduler.pid, signal.SIGKILL)
        code, out, err = ended(process)
    assert code == 130, out + err
    assert "The same command with --resume goes on from a.jsonl" in out
    assert "porting: the executor broke (" in err
    assert "Traceback" not in err
    assert_whole(tmp_path, *ended(command(tmp_path, "--resume")))


def test_a_worker_of_another_version_is_refused(tmp_path):
    (tmp_path / "sitecustomize.py").write_text("import numpy\n\nnumpy.__version__ = '1.0'\n")
    paths = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
    with cluster(tmp_path, 1, PYTHONPATH=paths) as (where, _):
        code, _, err = ended(command(tmp_path, "--executor", where))
        assert code == 2, err
        (line,) = err.strip().splitlines()
        assert "has numpy 1.0, not " in line
        assert line.endswith("install the same there, or --any-version")
        assert chunks(tmp_path) == []
        assert_whole(tmp_path, *ended(command(tmp_path, "--executor", where, "--any-version", "--resume")))


def test_a_cluster_that_cannot_work_is_one_line(tmp_path):
    nobody, idle = tmp_path / "nobody", tmp_path / "idle"
    nobody.mkdir()
    idle.mkdir()
    with cluster(idle, 0) as (where, _):  # both wait ten seconds, at the same time
        asked = {
            "no scheduler answers at 127.0.0.1:": command(nobody, "--executor", f"dask://127.0.0.1:{free_port()}"),
            "the scheduler has no worker; start one": command(idle, "--executor", where),
        }
        for said, process in asked.items():
            code, _, err = ended(process)
            assert code == 2, err
            (line,) = err.strip().splitlines()
            assert said in line
    assert not [*tmp_path.rglob("a.jsonl")]
