"""A warm process is what a real one would be, as far as a test can see; and the server survives it."""

import os
import subprocess
import sys

import pytest

MODULES = {
    "says": """
import os, sys
from pathlib import Path
import beside
print(sys.argv[1:], Path.cwd().name, os.environ["MINE"], __name__, sys.stdin.read(), beside.__file__, "é")
print(sys.stdout.isatty(), sys.dont_write_bytecode, "err", file=sys.stderr)
""",
    "leaves": "import sys; sys.exit(7)",
    "leaves_with_words": "raise SystemExit('no such thing')",
    "raises": "1 / 0",
    "at_exit": "import atexit, threading, time\natexit.register(print, 'last')\n"
    "threading.Thread(target=lambda: (time.sleep(0.2), print('late'))).start()",
    "dies": "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
}


@pytest.fixture
def folder(tmp_path):
    for name, text in MODULES.items():
        (tmp_path / f"{name}.py").write_text(text)
    (tmp_path / "beside.py").write_text("")
    return tmp_path


@pytest.mark.parametrize("module", MODULES)
def test_it_is_like_a_real_one(module, folder, warm):
    env = {**os.environ, "MINE": "so"}
    words = [sys.executable, "-m", module, "a b", "--c"]
    real = subprocess.run(
        words, capture_output=True, text=True, cwd=folder, env=env, check=False, stdin=subprocess.DEVNULL
    )
    found = warm.run(module, "a b", "--c", cwd=folder, env=env)
    assert (found.returncode, found.stdout) == (real.returncode, real.stdout)
    assert found.stderr.splitlines()[-1:] == real.stderr.splitlines()[-1:]  # of a traceback the frames are others


def test_it_has_imported_but_not_run_the_frameworks(folder, warm):
    (folder / "asks.py").write_text(
        "import sys\nprint({'torch', 'tensorflow'} & set(sys.modules))\n"
        "import tensorflow as tf\nprint(tf.function(lambda x: x + 1, jit_compile=True)(tf.zeros([])).numpy())\n"
    )
    pytest.importorskip("torch")
    pytest.importorskip("tensorflow")
    run = warm.run("asks", cwd=folder)
    assert run.stdout.splitlines()[1:] == ["1.0"], run.stderr
    assert "torch" in run.stdout
    assert "tensorflow" in run.stdout


def test_one_that_hangs_is_ended(folder, warm):
    (folder / "hangs.py").write_text("print('here', flush=True)\nimport time\ntime.sleep(1000)\n")
    with pytest.raises(subprocess.TimeoutExpired) as caught:
        warm.run("hangs", cwd=folder, timeout=2)
    assert caught.value.stdout == "here\n"
    assert warm.run("leaves", cwd=folder).returncode == 7


def test_what_is_read_at_the_start_cannot_be_changed(folder, warm):
    with pytest.raises(AssertionError, match="OMP_NUM_THREADS"):
        warm.run("says", cwd=folder, env={**os.environ, "OMP_NUM_THREADS": "17"})
