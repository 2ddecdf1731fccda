"""Where the machine lets no worker start: one line that says so and what to do, no traceback, exit code 2."""

import subprocess
import sys

import pytest

from porting.runners import RUNNERS

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="limits and sockets of Unix"),
    pytest.mark.skipif(bool(RUNNERS["torch"].missing()), reason="needs PyTorch"),
]
MAIN = """
import multiprocessing.heap, os, resource, sys, tempfile
os.environ.pop("TMPDIR", None)
{there}
from porting.cli.main import main
sys.exit(main({arguments!r}))
"""
QUICK = ["--dtype", "float64", "-k", "value", "-q"]
# What is wrong with the machine, and a word of the message.
LACKS = {
    "the path of the temporary folder is too long": (
        "folder = os.path.join(os.getcwd(), 'x' * 120)\nos.mkdir(folder)\nos.environ['TMPDIR'] = folder",
        "AF_UNIX path too long",
    ),
    "no temporary folder can be written": (
        "tempfile._candidate_tempdir_list = lambda: ['/no/such/folder']",
        "No usable temporary directory found in ['/no/such/folder']",
    ),
    "no file can be written": (
        "resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))",
        "File too large",
    ),
    "no shared memory": (
        "multiprocessing.heap.Arena._choose_dir = lambda *_: '/dev/no_shm'",
        "No such file or directory: '/dev/no_shm/",
    ),
    "no more files": (
        "resource.setrlimit(resource.RLIMIT_NOFILE, (12, 12))",
        "Too many open files",
    ),
    "no more memory": (
        "def refuse(*_): raise MemoryError\nmultiprocessing.heap.Heap.malloc = refuse",
        "out of memory",
    ),
    "no more processes": (
        (
            "import _posixsubprocess\n"
            "def refuse(*_): raise BlockingIOError(11, 'Resource temporarily unavailable')\n"
            "_posixsubprocess.fork_exec = refuse"
        ),
        "Resource temporarily unavailable",
    ),
}


def command(folder, there, *arguments):
    """Run the command on such a machine; return its exit code and its stderr."""
    text = MAIN.format(there=there, arguments=list(arguments))
    done = subprocess.run(
        [sys.executable, "-c", text], cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize(("there", "word"), LACKS.values(), ids=LACKS)
def test_one_line_that_names_the_way_without_workers(tmp_path, there, word):
    code, errors = command(tmp_path, there, "check", "sin_squared", "--jobs", "2", "--runner", "torch", *QUICK)
    assert code == 2
    assert errors.count("\n") == 1
    assert errors.startswith("porting: no worker process can be started (")
    assert word in errors
    assert errors.endswith("; --jobs 1 (in Python jobs=1) needs none\n")


@pytest.mark.parametrize("there", [there for there, _ in LACKS.values()], ids=LACKS)
@pytest.mark.slow
def test_that_way_works(tmp_path, there):
    arguments = ["check", "sin_squared", "--jobs", "1", "--runner", "torch", *QUICK]
    assert command(tmp_path, there, *arguments) == (0, "")


def test_a_pair_by_name_is_told_of_the_way_that_it_has(tmp_path):
    (tmp_path / "ours.py").write_text("import torch\n\ndef double(x):\n    return x + x\n")
    there, word = LACKS["no more files"]
    code, errors = command(tmp_path, there, "check", "--torch", "ours.py:double", *QUICK)
    assert (code, errors.count("\n")) == (2, 1)
    assert word in errors
    assert errors.endswith("; in Python, isolate=False with jobs=1 needs none\n")


def test_a_recording_is_told_too(tmp_path):
    there, word = LACKS["no more files"]
    arguments = ["record", "sin_squared", "--jobs", "2", "-k", "vjp", "-o", "file.npz"]
    code, errors = command(tmp_path, there, *arguments)
    assert (code, errors.count("\n")) == (2, 1)
    assert word in errors
    assert "--jobs 1" in errors
    assert not (tmp_path / "file.npz").exists()


# The server that forks the workers runs, and something is wrong there.
SERVER = """
import sys
from porting.workers.pool import NoWorkerError, Pool
sys.path.insert(0, "")
try:
    with Pool(1, "porting.selftest.spread:answer", timeout=30, preload=["machine"], instead="do without") as pool:
        print(*pool.run([(abs, -1)]))
except NoWorkerError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("machine", "said"),
    [
        ("", "(0, 1)\n"),
        (
            "import os\ndef fork(): raise BlockingIOError(11, 'Resource temporarily unavailable')\nos.fork = fork",
            (
                "no worker process can be started "
                "(BlockingIOError: [Errno 11] Resource temporarily unavailable; preloaded: machine); do without\n"
            ),
        ),
        (
            "raise MemoryError('no room')",
            "no worker process can be started (MemoryError: no room; preloaded: machine); do without\n",
        ),
        (
            "import os\nos._exit(3)",
            "no worker process can be started (the server that forks has ended; preloaded: machine); do without\n",
        ),
        (
            (
                "import sys\n"
                "class Full:\n"
                "    def find_spec(self, name, path=None, target=None):\n"
                "        if name.startswith('porting.selftest'): raise ImportError('failed to map segment')\n"
                "sys.meta_path.insert(0, Full())"
            ),
            (
                "a worker process ended before it could take a job: "
                "it could not import porting.selftest.spread (failed to map segment); do without\n"
            ),
        ),
    ],
    ids=["nothing", "it cannot fork", "it has no memory", "it ends", "the worker has no memory"],
)
def test_the_server_says_nothing_itself(tmp_path, machine, said):
    (tmp_path / "machine.py").write_text(machine)
    done = subprocess.run(
        [sys.executable, "-c", SERVER], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, said, "")


def test_a_closed_stderr_is_left_closed(tmp_path):
    done = subprocess.run(
        ["/bin/sh", "-c", f"exec '{sys.executable}' -c '{SERVER}' 2>&-"],
        cwd=tmp_path, stdout=subprocess.PIPE, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "(0, 1)\n")
