"""Whatever the code in a worker does, only its own job is lost, and nothing of it stays."""

import gc
import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from multiprocessing import forkserver
from pathlib import Path

import pytest

from porting.workers import launch
from porting.workers.frames import SIZE
from porting.workers.pool import Ended, Pool, WorkerError
from porting.workers.worker_handle import Handle

HERE = Path(__file__).parent
HANDLER = "hostile_jobs:handle"
PROC = Path("/proc/self/stat").exists()
needs_proc = pytest.mark.skipif(not PROC, reason="reads /proc")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and process groups")


@pytest.fixture(autouse=True)
def nobody_stays(monkeypatch):
    monkeypatch.syspath_prepend(HERE)
    before = set(multiprocessing.active_children())  # those of the modes of other tests
    yield
    assert set(multiprocessing.active_children()) <= before
    server = forkserver._forkserver._forkserver_pid
    if PROC and server:
        assert not [process for process in processes() if parent_of(process) == server]


def processes():
    return [entry for entry in Path("/proc").iterdir() if entry.name.isdigit()]


def parent_of(process):
    try:
        return int((process / "stat").read_text(encoding="utf8").rpartition(")")[2].split()[1])
    except OSError:
        return None


def alive(pid):
    try:
        os.kill(pid, 0)
        if PROC:  # one that nobody has waited for is dead
            return Path(f"/proc/{pid}/stat").read_text(encoding="utf8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
    return True


def gone(*pids):
    """Wait a little: who is orphaned is buried by another."""
    end = time.monotonic() + 5
    while any(map(alive, pids)) and time.monotonic() < end:
        time.sleep(0.02)
    return not any(map(alive, pids))


def line_of(job):
    lines = (HERE / "hostile_jobs.py").read_text(encoding="utf8").splitlines()
    numbers = [number for number, line in enumerate(lines, 1) if line.endswith(f"# here: {job}")]
    return f"hostile_jobs.py:{numbers[0]}" if numbers else ""


def run(*jobs, size=1, timeout=30.0, memory=None):
    with Pool(size, HANDLER, timeout=timeout, memory=memory) as pool:
        return list(pool.run(jobs))


ENDINGS = [
    ("endless_loop", "took longer than 1 s", "timeout"),
    ("loop_beside_a_thread", "took longer than 1 s", "timeout"),
    ("long_sleep", "took longer than 1 s", "timeout"),
    ("regex", "took longer than 1 s", "timeout"),
    ("stopped", "took longer than 1 s", "timeout"),
    ("deaf", "took longer than 1 s", "timeout"),
    ("segfault", "was killed by SIGSEGV", "signal"),
    ("abort", "was killed by SIGABRT", "signal"),
    ("shot", "was killed by SIGKILL (out of memory?)", "memory"),
    ("leave", "left with exit code 0", "exit"),
    ("fork_and_leave", "left with exit code 7", "exit"),
    ("sys_exit", "raised SystemExit: 3", "exit"),
    ("interrupt", "raised KeyboardInterrupt", "exit"),
    ("no_descriptors", "closed the connection to its parent", "exit"),
    ("no_descriptors_and_sleep", "closed the connection to its parent", "exit"),
]


@pytest.mark.parametrize(("job", "how", "reason"), ENDINGS)
def test_job_ends_alone(job, how, reason):
    timeout = 1 if "longer" in how else 30
    first, ended, after, answer = run(job, "ping", timeout=timeout)
    assert ended == (0, Ended(0, 1, "backward", how, reason, ended[1].where))
    assert ended[1].where.endswith(line_of(job))
    assert bool(ended[1].where) == bool(line_of(job))
    assert answer == (1, "pong")
    assert after[1] != first[1]
    assert gone(first[1], after[1])


def test_no_temporary_file_stays(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (_, _), (_, name), *_ = run("temporary_file", "temporary_file_and_crash", "ping")
    assert Path(name).is_relative_to(tmp_path)
    assert not list(tmp_path.iterdir())


def test_crash_in_a_thread_is_found():
    assert run("segfault_in_thread")[1][1].where.endswith(line_of("segfault"))


def test_path_is_relative_to_the_current_folder(monkeypatch):
    monkeypatch.chdir(HERE.parent)
    assert run("segfault")[1][1].where == f"workers/{line_of('segfault')}"


def test_overflow_of_the_stack():
    if sys.version_info >= (3, 12):
        pytest.skip("Python counts C frames since 3.12")
    (_, ended), *_ = run("stack_overflow", "ping")[1:]
    assert ended.how == "was killed by SIGSEGV"
    assert Path(ended.where).name.startswith("hostile_jobs.py:")  # one of its lines


def test_time_runs_from_item_to_item_and_ends_promptly():
    begun = time.monotonic()
    events = run("ping", "long_sleep", timeout=1)
    assert 1 <= time.monotonic() - begun < 4  # a loaded machine needs more than the promised second
    assert [item for _, item in events][1] == "pong"


@needs_proc
def test_memory_is_limited():
    _, (_, error), _, after = run("hundred_gigabytes", "ping", memory=256 << 20)
    assert (error, after) == ("MemoryError", (1, "pong"))


@needs_proc
@pytest.mark.parametrize(("memory", "answer"), [(None, "given"), (8 << 30, "Cannot allocate memory")])
def test_it_is_the_limit_that_refuses_25_gigabytes(memory, answer):
    _, (_, said), _, after = run("twenty_five_gigabytes", "ping", memory=memory)
    assert (said, after) == (answer, (1, "pong"))


@needs_proc
def test_memory_is_limited_step_by_step():
    _, (_, (error, steps)), _, after = run("growing", "ping", memory=256 << 20)
    assert (error, after) == ("MemoryError", (1, "pong"))
    assert 10 <= steps <= 16  # of 16 MB; the interpreter needs some itself


@needs_proc
@pytest.mark.parametrize("job", ["out_of_memory", "no_byte_left"])
def test_memory_error_that_the_handler_lets_through(job):
    _, (_, ended), _, after = run(job, "ping", memory=256 << 20)
    assert (ended.how, Path(ended.where).name, after) == ("ran out of memory", line_of(job), (1, "pong"))


@pytest.mark.parametrize(
    ("job", "answer", "replaced"),
    [
        ("exit_in_thread", "went on", False),
        ("recursion", "RecursionError", False),
        ("prints", ("", b""), False),
        ("daemon_thread", "left", True),
        ("thread", "left", True),
        ("fork_that_returns", "forked", False),
        ("interrupted", set(), False),
        ("ping", "pong", False),
    ],
)
def test_job_is_answered_and_so_is_the_next(job, answer, replaced, capfd):
    first, got, second, after = run(job, "ping")
    assert (got, after) == ((0, answer), (1, "pong"))
    assert (first[1] != second[1]) == replaced
    assert gone(first[1], second[1])
    assert capfd.readouterr() == ("", "")


def test_dirty_worker_is_replaced_silently():
    (_, first), (index, second), answer = run("dirty", "ping")
    assert first != second
    assert (index, answer) == (1, (1, "pong"))


@needs_proc
def test_workers_that_a_job_keeps_stay_and_end_with_their_worker():
    with Pool(1, HANDLER, timeout=60) as pool:
        first, (_, said), second, _ = pool.run(["pool", "ping"])
        assert (first[1], said) == (second[1], "pong")
        third, (_, child), fourth, _ = pool.run(["pool_and_child", "ping"])
        assert third[1] == second[1] != fourth[1]
        assert gone(child)


def test_child_process_is_killed_with_its_worker(tmp_path):
    file = tmp_path / "pid"
    with Pool(1, HANDLER, timeout=30) as pool:
        (_, _), (_, child), _, _ = pool.run(["child", "ping"])
        assert gone(child)
        list(pool.run([("child_and_segfault", str(file))]))
        assert gone(int(file.read_text(encoding="ascii")))


def test_a_worker_that_leaves_takes_its_children_along():
    """Its parent may be killed before it hears that the worker has left."""
    with Pool(1, HANDLER, timeout=30) as pool:
        events = pool.run(["child"])
        _, (_, child) = next(events), next(events)
        assert gone(child)  # while nobody reads that the worker is to be replaced
        assert not list(events)


def test_other_current_folder(tmp_path):
    _, gone, _, folder = run(("deleted_folder", str(tmp_path / "folder")), "folder")
    assert gone == (0, "gone")
    assert folder == (1, str(Path.cwd()))


def test_huge_item():
    assert run("huge")[1][1] == b"x" * 50_000_000


@pytest.mark.parametrize(("job", "text"), [("mistake", "LookupError: of the handler"), ("unpicklable", "pickle")])
def test_error_of_the_handler_is_raised_here(job, text):
    with Pool(2, HANDLER, timeout=30) as pool:
        with pytest.raises(WorkerError, match=text) as caught:
            list(pool.run([job, "long_sleep"]))
        assert "Traceback" in str(caught.value)
        assert [item for _, item in pool.run(["ping"])][1] == "pong"


def test_job_that_cannot_be_sent():
    with Pool(1, HANDLER, timeout=30) as pool:
        with pytest.raises(WorkerError, match="job 1 cannot be sent"):
            list(pool.run(["ping", lambda: None]))
        assert [item for _, item in pool.run(["ping"])][1] == "pong"


@pytest.mark.parametrize("handler", ["no_such_module:handle", "hostile_jobs:no_such_function"])
def test_handler_that_is_not_there(handler):
    with Pool(1, handler, timeout=30) as pool, pytest.raises(WorkerError, match="no_such"):
        list(pool.run(["ping"]))


def test_two_workers_work_side_by_side(tmp_path):
    jobs = [("meet", str(tmp_path), "one", "two"), ("meet", str(tmp_path), "two", "one")]
    events = run(*jobs, size=2)
    assert {event for event in events if event[1] == "met"} == {(0, "met"), (1, "met")}


def test_jobs_are_handed_out_in_order_to_the_same_worker():
    events = run(*["ping"] * 5)
    assert [index for index, _ in events] == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert len({pid for _, pid in events[::2]}) == 1


def test_the_most_expensive_job_is_begun_first():
    with Pool(1, HANDLER, timeout=30) as pool:
        assert [index for index, item in pool.run(["ping"] * 4, costs=[1, 3, 2, 3]) if item == "pong"] == [1, 3, 2, 0]


def test_jobs_of_one_kind_stay_together_whatever_they_cost():
    with Pool(1, HANDLER, timeout=30) as pool:
        events = pool.run(["ping"] * 4, ["a", "b", "a", "b"], [1, 5, 2, 3])
        assert [index for index, item in events if item == "pong"] == [1, 3, 2, 0]


def test_no_more_workers_than_jobs_and_none_for_no_job():
    with Pool(8, HANDLER, timeout=30) as pool:
        assert list(pool.run([])) == []
        assert not pool._workers
        list(pool.run(["ping"]))
        assert len(pool._workers) == 1


@pytest.mark.slow
def test_caller_who_takes_his_time_makes_nobody_late():
    got = []
    with Pool(2, HANDLER, timeout=1) as pool:
        for _, item in pool.run([("items", b"x" * 3_000_000, b"y" * 3_000_000), ("items", 1, 2, 3)]):
            time.sleep(0.5 if got else 1.5)
            got.append(item)
    assert not [item for item in got if isinstance(item, Ended)]
    assert len(got) == 3 + 4


def test_half_an_item_gives_time_for_the_rest():
    here, there = socket.socketpair()
    worker = Handle(None, here, None, None, None, deadline=0)
    with here, there:
        there.sendall(SIZE.pack(100) + b"x")
        assert worker.read() == []
        assert time.monotonic() < worker.deadline < time.monotonic() + 1
        there.close()
        assert worker.read() is None


def test_run_that_is_given_up_leaves_no_work_behind():
    with Pool(2, HANDLER, timeout=30) as pool:
        pids = []
        for _, pid in pool.run(["long_sleep", "long_sleep", "ping"]):
            pids.append(pid)
            if len(pids) == 2:
                break
        gc.collect()
        assert gone(*pids)
        assert {index for index, _ in pool.run(["ping", "ping"])} == {0, 1}


def test_worker_that_dies_between_two_runs_costs_no_job():
    with Pool(1, HANDLER, timeout=30) as pool:
        (_, pid), _ = pool.run(["ping"])
        os.kill(pid, signal.SIGKILL)
        assert gone(pid)
        assert list(pool.run(["ping"]))[1] == (0, "pong")


def test_closed_pool_takes_no_jobs():
    pool = Pool(1, HANDLER, timeout=30)
    running = pool.run(["ping", "ping"])
    _, pid = next(running)
    pool.close()
    assert gone(pid)
    with pytest.raises(WorkerError, match="closed"):
        list(running)


def test_interrupted_dismissal_is_done_again(monkeypatch):
    close = Handle.close

    def interrupted(worker):
        close(worker)
        monkeypatch.undo()
        raise KeyboardInterrupt

    with Pool(2, HANDLER, timeout=30) as pool:
        monkeypatch.setattr(Handle, "close", interrupted)
        with pytest.raises(KeyboardInterrupt):
            list(pool.run(["leave", "ping"]))
        assert not [worker for worker in pool._workers if worker.busy]


@needs_proc
def test_replaced_workers_leave_no_descriptors():
    with Pool(1, HANDLER, timeout=30) as pool:
        list(pool.run(["leave", "ping"]))
        before = len(list(Path("/proc/self/fd").iterdir()))
        list(pool.run(["leave"] * 10 + ["dirty"] * 10 + ["ping"]))
        assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_spawned_workers(monkeypatch):
    monkeypatch.setattr(launch, "METHOD", "spawn")
    first, ended, second, answer = run("segfault", "ping")
    assert ended[1].how == "was killed by SIGSEGV"
    assert ended[1].where.endswith(line_of("segfault"))
    assert answer == (1, "pong")
    assert gone(first[1], second[1])


# Scripts, without a guard around what they do.

SCRIPT = f"""
import os, signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever runs the tests may ignore it, as nohup does
sys.path.insert(0, {str(HERE)!r})
print("main", flush=True)
from porting.workers.pool import Pool
"""
USE = f"""
for name in ("OMP_NUM_THREADS", "TF_CPP_MIN_LOG_LEVEL"):
    os.environ.pop(name, None)
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "mine"
with Pool(2, {HANDLER!r}, timeout=30) as pool:
    print(sorted((index, item) for index, item in pool.run(["environment", "segfault"]) if type(item) is list))
print(os.environ.get("OMP_NUM_THREADS"))
"""


@pytest.mark.parametrize("way", ["file", "-c", "stdin"])
def test_script_without_guard_runs_once(tmp_path, way):
    text = SCRIPT + USE
    file = tmp_path / "script.py"
    file.write_text(text, encoding="utf8")
    arguments = {"file": [str(file)], "-c": ["-c", text], "stdin": ["-"]}[way]
    done = subprocess.run(
        [sys.executable, *arguments], input=text, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == ["main", "[(0, ['1', '1', 'mine'])]", "None"]


def test_a_worker_looks_for_no_garbage_among_what_its_server_has_imported():
    text = (
        SCRIPT
        + f'pool = Pool(1, {HANDLER!r}, timeout=30, preload=["porting"])\nprint(list(pool.run(["frozen"]))[-1][1])'
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr == ""
    collecting, frozen = done.stdout.split()[-2:]
    assert collecting.endswith("True"), "collections are held for the server's imports alone"
    assert int(frozen.strip("'])")) > 1000


def test_script_that_forgets_to_close_ends():
    text = SCRIPT + f'pool = Pool(2, {HANDLER!r}, timeout=30)\nprint(*pool.run(["ping"]))'
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "'pong'" in done.stdout


def test_preload_that_fails_is_named(tmp_path):
    (tmp_path / "breaks_at_import.py").write_text("1 / 0", encoding="ascii")
    text = SCRIPT + f'pool = Pool(1, {HANDLER!r}, timeout=30, preload=["breaks_at_import"])\nprint(*pool.run(["ping"]))'
    done = subprocess.run(
        [sys.executable, "-c", text], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1
    assert "WorkerError: no worker process can be started" in done.stderr
    assert "breaks_at_import" in done.stderr.splitlines()[-1]


def test_interrupt_during_the_preload(tmp_path):
    """The server says nothing of its own about a Ctrl-C, and goes."""
    begun = tmp_path / "begun"
    (tmp_path / "slow_to_import.py").write_text(
        f"open({str(begun)!r}, 'w').close()\nimport time\ntime.sleep(2)", encoding="utf8"
    )
    text = SCRIPT + f'pool = Pool(1, {HANDLER!r}, timeout=30, preload=["slow_to_import"])\nlist(pool.run(["ping"]))'
    script = subprocess.Popen(
        [sys.executable, "-c", text], cwd=tmp_path, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    while not begun.exists() and script.poll() is None:
        time.sleep(0.02)
    os.killpg(script.pid, signal.SIGINT)
    errors = script.communicate(timeout=20)[1]
    assert script.returncode == -signal.SIGINT
    assert errors.count("Traceback") == 1
    assert errors.splitlines()[-1] == "KeyboardInterrupt"


@pytest.fixture
def litter():
    """Return a folder for what a killed process cannot clean up; its path is short, for there are sockets in it."""
    with tempfile.TemporaryDirectory() as folder:
        yield folder


@needs_proc
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_nothing_outlives_the_parent(number, tmp_path, litter):
    """The workers hold the GIL, sleep, and have children; a signal from the terminal reaches the whole group."""
    token = f"GRADPORT_TEST={tmp_path}"
    jobs = ["regex", "long_sleep", "child", "regex"]
    text = SCRIPT + (
        f"with Pool(4, {HANDLER!r}, timeout=1000) as pool:\n"
        f"    for event in pool.run({jobs}):\n"
        "        print(event, flush=True)\n"
    )
    script = subprocess.Popen(
        [sys.executable, "-c", text],
        env=dict([*os.environ.items(), token.split("="), ("TMPDIR", litter)]),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    lines = [script.stdout.readline() for _ in range(1 + 5)]  # main, four process ids, one of a child
    assert "" not in lines
    assert len(marked(token)) >= 5
    os.killpg(script.pid, number) if number == signal.SIGINT else script.kill()
    begun = time.monotonic()
    script.wait(timeout=20)
    assert time.monotonic() - begun < 5
    while marked(token) and time.monotonic() - begun < 10:
        time.sleep(0.05)
    stayed = marked(token)
    for pid in stayed:
        os.kill(pid, signal.SIGKILL)
    assert not stayed
    errors = script.communicate()[1]
    assert script.returncode == -number
    if number == signal.SIGINT:
        assert errors.count("Traceback") == 1
        assert errors.splitlines()[-1] == "KeyboardInterrupt"


def marked(token):
    """Return the living processes that have this in their environment: a script and all that it started."""
    found = []
    for process in processes():
        try:
            if token.encode() in (process / "environ").read_bytes() and alive(int(process.name)):
                found.append(int(process.name))
        except OSError:
            continue
    return found
