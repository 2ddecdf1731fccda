"""A sweep in real processes: killed, broken, interrupted, resumed; every case is counted once."""

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from interrupts import heard

from porting import check
from porting.parity.plan import ops_of, plan
from porting.sweep.chunk import Chunks, Settings
from porting.sweep.hand_out import ExecutorError
from porting.sweep.sweep import sweep

ORACLE = {"runners": ["oracle"], "dtypes": ["float64"]}
SEEDS = range(24)


@pytest.fixture(scope="module")
def alone():
    """Return the results of one seed."""
    return check("sin_squared", **ORACLE).results


def places(report):
    return {(r.op, r.check): (r.status, r.compared, r.largest) for r in report.results}


def test_all_seeds_are_one_report(alone, tmp_path):
    found = sweep("sin_squared", seeds=SEEDS, jobs=2, log=tmp_path / "a.jsonl", **ORACLE)
    assert found.cases == len(SEEDS) * sum(r.status != "not applicable" for r in alone)
    assert (found.done, found.report.exit_code) == (found.chunks, 0)
    assert {r.check for r in found.report.results} == {r.check for r in alone}
    lines = (tmp_path / "a.jsonl").read_text().splitlines()
    assert len(lines) == 1 + found.chunks
    each = [check("sin_squared", seed=seed, **ORACLE).results for seed in SEEDS[:3]]
    few = sweep("sin_squared", seeds=SEEDS[:3], **ORACLE)
    assert {(r.check, r.compared) for r in few.report.results} == {
        (r.check, sum(other.compared for one in each for other in one if other.check == r.check)) for r in each[0]
    }


def test_a_log_with_half_of_it_gives_the_same(tmp_path):
    whole = sweep("sin_squared", seeds=SEEDS, log=tmp_path / "a.jsonl", **ORACLE)
    lines = (tmp_path / "a.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "b.jsonl").write_bytes(b"".join(lines[: len(lines) // 2]) + lines[-1][:50])
    again = sweep("sin_squared", seeds=SEEDS, log=tmp_path / "b.jsonl", resume=True, **ORACLE)
    assert (again.cases, again.done) == (whole.cases, whole.done)
    assert places(again.report) == places(whole.report)


def test_any_executor_does_the_work_and_is_left_open():
    with ThreadPoolExecutor(3) as executor:
        found = [sweep("sin_squared", seeds=range(6), executor=executor, **ORACLE) for _ in range(2)]
        assert executor.submit(int, 3).result() == 3
    assert places(found[0].report) == places(found[1].report)


class Loses(ThreadPoolExecutor):
    """Raises for some of the chunks, as an executor does whose worker was lost."""

    def __init__(self, lost):
        super().__init__(1)
        self.lost, self.given = lost, 0

    def submit(self, work, *args):
        self.given += 1
        return super().submit(int, "x") if self.given in self.lost else super().submit(work, *args)


def test_what_a_lost_worker_had_is_given_out_again(tmp_path):
    with Loses({3, 5}) as executor:  # the first one asks for the devices
        found = sweep("sin_squared", seeds=SEEDS, executor=executor, log=tmp_path / "a.jsonl", **ORACLE)
        assert executor.given == 1 + found.chunks + 2
    assert (found.done, found.broken) == (found.chunks, "")
    numbers = [json.loads(line)["chunk"] for line in (tmp_path / "a.jsonl").read_text().splitlines()[1:]]
    assert sorted(numbers) == list(range(found.chunks))


def test_an_executor_that_breaks_is_told_and_nothing_is_lost(tmp_path):
    with Loses(range(4, 1000)) as executor:
        found = sweep("sin_squared", seeds=SEEDS, executor=executor, log=tmp_path / "a.jsonl", **ORACLE)
    assert found.broken.startswith("ValueError: invalid literal")
    assert (found.done, found.report.exit_code) == (2, 130)
    assert len((tmp_path / "a.jsonl").read_text().splitlines()) == 3
    found = sweep("sin_squared", seeds=SEEDS, log=tmp_path / "a.jsonl", resume=True, **ORACLE)
    assert (found.done, found.broken) == (found.chunks, "")


def test_an_executor_that_never_works_is_refused():
    with Loses(range(1000)) as executor, pytest.raises(ExecutorError, match="does not work: ValueError: invalid"):
        sweep("sin_squared", seeds=SEEDS, executor=executor, **ORACLE)


KILLED = """
import os
import signal
from pathlib import Path

import torch

HERE = Path(__file__).parent


def once(x):
    if not (HERE / "killed").exists():
        (HERE / "killed").touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return torch.sin(x)


def always(x):
    os.kill(os.getpid(), signal.SIGKILL)


def plain(x):
    return torch.sin(x)
"""


def command(folder, *words):
    run = [sys.executable, "-m", "porting", "check", *words]
    env = {**os.environ, "COLUMNS": "200"}
    with heard():
        return subprocess.Popen(run, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def ended(process):
    said = process.communicate(timeout=240)
    return process.returncode, *said


@pytest.mark.slow
def test_a_worker_that_was_killed_once_is_no_finding(tmp_path):
    pytest.importorskip("torch")
    (tmp_path / "killed.py").write_text(KILLED)
    words = ["--like", "killed.py:plain", "--input", "x=float64[n]", "--dtype", "float64", "--seeds", "0:4", "-k", "v"]
    code, out, err = ended(command(tmp_path, "--torch", "killed.py:once", *words))
    assert code == 0, out + err
    assert (tmp_path / "killed").exists()
    assert "4 seeds: " in out
    code, out, err = ended(command(tmp_path, "--torch", "killed.py:always", *words))
    assert code == 1, out + err
    assert "SIGKILL" in out


SLOW = ["sin_squared", "--runner", "oracle", "--dtype", "float64", "--seeds", "0:300", "--log", "a.jsonl"]


def plan_of_slow():
    return plan(
        ops_of("sin_squared"), runners=["oracle"], devices=(), modes=(), dtypes=["float64"], only=(), keyword=""
    ).tasks


def waiting_for_lines(path, count):
    until = time.monotonic() + 120
    while not path.exists() or len(path.read_bytes().splitlines()) < count:
        assert time.monotonic() < until
        time.sleep(0.01)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="sends signals")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_command_that_is_ended_goes_on_from_its_log(alone, tmp_path, how):
    process = command(tmp_path, *SLOW)
    waiting_for_lines(tmp_path / "a.jsonl", 4)
    process.send_signal(how)
    code, out, err = ended(process)
    assert code == (130 if how == signal.SIGINT else -signal.SIGKILL), out + err
    if how == signal.SIGINT:
        assert "The same command with --resume goes on from a.jsonl" in out
    units = len(Chunks(plan_of_slow(), range(300), Settings()))
    assert len((tmp_path / "a.jsonl").read_bytes().splitlines()) < 1 + units
    code, out, err = ended(command(tmp_path, *SLOW, "--resume", "-q"))
    assert code == 0, out + err
    cases = 300 * sum(r.status != "not applicable" for r in alone)
    assert f"300 seeds: {cases:,} checks, {units} of {units} units done" in out
    numbers = [json.loads(line)["chunk"] for line in (tmp_path / "a.jsonl").read_text().splitlines()[1:]]
    assert sorted(numbers) == list(range(units))


GIVEN = """
def number():
    return 3


def raises():
    raise OSError("no such host")
"""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--log", "a.jsonl"], "--log is for a sweep over many seeds: give --seeds A:B too"),
        (["--seeds", "3:3"], "'3:3' is no range of seeds: A:B with 0 <= A < B"),
        (["--seeds", "0:3", "--seed", "1"], "--seed and --seeds exclude each other"),
        (["--seeds", "0:3", "--resume"], "--resume goes on with a log: name it"),
        (["--seeds", "0:3", "--resume", "--log", "no.jsonl"], "there is no log no.jsonl"),
        (["--seeds", "0:3", "--log", "no/a.jsonl"], "--log no/a.jsonl: cannot be written"),
        (["--seeds", "0:3", "--executor", "given.py:nothing"], "given.py has no nothing"),
        (["--seeds", "0:3", "--executor", "given.py:number"], "returned int; a function that returns a concurrent"),
        (["--seeds", "0:3", "--executor", "given.py:raises"], "it raised OSError: no such host"),
    ],
)
def test_bad_input_is_one_line(tmp_path, warm, words, said):
    (tmp_path / "given.py").write_text(GIVEN)
    run = warm.run("porting", "check", "sin_squared", *words, cwd=tmp_path, env={**os.environ})
    assert run.returncode == 2, run.stdout + run.stderr
    (line,) = run.stderr.strip().splitlines()
    assert line.startswith("porting")
    assert said in line
