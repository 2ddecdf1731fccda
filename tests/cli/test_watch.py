"""`porting check --watch`: what is seen as a save, and one watch that goes through what happens to files."""

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from porting.cli.main import main
from porting.cli.watch import _Watch, in_one_line
from porting.engine.imported import is_local, local_files
from porting.engine.watch import Files, places
from porting.loading import LoadError, load
from porting.runners import RUNNERS

DEADLINE = 240.0  # seconds: the machine may be busy


class TestFiles:
    @pytest.fixture
    def file(self, tmp_path):
        file = tmp_path / "file.py"
        file.write_text("one")
        return file

    def test_nothing(self, file):
        assert Files([file]).changed() == Files([file]).settled() == []

    def test_written(self, file):
        files = Files([file])
        file.write_text("three")
        assert files.changed() == [file]
        assert files.settled() == [file]
        assert files.changed() == []

    def test_same_size_and_time(self, file):
        files, before = Files([file]), file.stat()
        file.write_text("two")
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
        assert files.settled() == [file]
        assert files.changed() == []

    def test_renamed_over_it(self, file):
        os.utime(file, (1, 1))  # so old that its content is not compared
        files, beside = Files([file]), file.with_suffix(".new")
        beside.write_text("two")
        os.utime(beside, (1, 1))
        beside.replace(file)
        assert files.settled() == [file]

    def test_gone_and_back(self, file):
        files = Files([file])
        file.unlink()
        assert files.settled() == [file]
        assert files.there == files.changed() == []
        file.write_text("one")
        assert files.settled() == [file]
        assert files.there == [file]

    def test_a_folder_takes_its_place(self, file):
        files = Files([file])
        file.unlink()
        file.mkdir()
        assert files.settled() == [file]
        assert files.settled() == files.there == []

    def test_behind_a_link(self, tmp_path, file):
        link, other = tmp_path / "link.py", tmp_path / "other.py"
        other.write_text("one")
        link.symlink_to(file)
        files = Files([link])
        files.add([file])  # the same file: not watched twice
        file.write_text("three")
        assert files.settled() == [link]
        link.unlink()
        link.symlink_to(other)
        assert files.settled() == [link]

    def test_half_a_save_is_not_the_end(self, file):
        files, beside = Files([file]), file.with_name("beside.py")
        files.add([beside])
        file.write_text("")
        threading.Timer(0.05, file.write_text, ["three"]).start()
        threading.Timer(0.1, beside.write_text, ["three"]).start()
        assert set(files.settled()) == {file, beside}
        assert file.read_text() == beside.read_text() == "three"

    def test_what_is_never_finished_is_taken_as_it_is(self, file, monkeypatch):
        monkeypatch.setattr("porting.engine.watch._PATIENCE", 0.3)
        files, still = Files([file]), threading.Event()
        thread = threading.Thread(target=lambda: [still.wait(0.01) or file.write_text("x" * n) for n in range(1, 1000)])
        thread.start()
        while not files.changed():
            pass
        assert files.settled() == [file]
        still.set()
        thread.join()

    def test_added_later(self, file, tmp_path):
        files = Files([file])
        file.write_text("three")
        files.add([str(file), str(tmp_path / "later.py")])
        assert files.changed() == [file]


class TestNames:
    def test_places(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        package = tmp_path / "package"
        package.mkdir()
        (package / "__init__.py").write_text("raise AssertionError('imported')")
        (package / "module.py").touch()
        assert places("some/file.py:f") == [Path("some/file.py")]
        assert places("package.module:f") == [package / "module.py"]
        assert places("package:f") == [package / "__init__.py"]
        assert places("package.other:f") == [package / "other.py", package / "other" / "__init__.py"]
        assert places("nowhere:f") == [tmp_path / "nowhere.py", tmp_path / "nowhere" / "__init__.py"]

    def test_local(self, tmp_path):
        assert is_local(str(tmp_path / "file.py"))
        for file in (json.__file__, pytest.__file__, main.__globals__["__file__"], "relative.py", str(tmp_path)):
            assert not is_local(file), file

    def test_files_behind_an_error(self, tmp_path, monkeypatch):
        monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
        first, second = tmp_path / "first_of_two.py", tmp_path / "second_of_two.py"
        first.write_text("\nimport second_of_two\n")
        for content, said in (("x = (", ":1: SyntaxError"), ("x = 1 / 0", ":1: ZeroDivisionError: division by zero")):
            second.write_text(content)
            with pytest.raises(LoadError) as caught:
                load(f"{first}:f", "torch")
            assert {str(first), str(second)} <= set(local_files(caught.value))
            assert in_one_line(str(caught.value)).startswith(f"{second}{said}")
        second.unlink()
        with pytest.raises(LoadError) as caught:
            load(f"{first}:f", "torch")
        assert str(second) in local_files(caught.value)  # where it would be
        assert in_one_line(str(caught.value)) == f"{first}:2: ModuleNotFoundError: No module named 'second_of_two'"

    def test_one_line_stays(self):
        assert in_one_line("torch a.py:f: a.py has no f") == "torch a.py:f: a.py has no f"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--watch"], "--watch without a side"),
        (["swish", "--watch"], "--watch without a side"),
        (["swish", "--torch", "a.py:f", "--watch"], "not both"),
        (["--torch", "a.py", "--watch"], "is neither a function nor"),
        (["--torch", "a.py:f", "--watch", "--format", "github"], "--format github is for CI"),
        (["--torch", "a.py:f", "--watch", "--tf-python", "python3"], "which function runs there?"),
        (["--torch", "a.py:f", "--watch", "--json", "no/such/folder.json"], "does not exist"),
    ],
)
def test_refused(words, said, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert main(["check", *words]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line


def test_it_ends_with_who_reads_it(monkeypatch):
    runs = []
    monkeypatch.setattr("porting.cli.watch.reader_is_gone", lambda: len(runs) == 2)
    shown = _Watch.__new__(_Watch)
    shown.code, shown.looking = 1, False
    shown.files = SimpleNamespace(settled=lambda: [Path("saved.py")])
    monkeypatch.setattr(shown, "_once", lambda: runs.append("a run"))
    assert shown.until_interrupted() == 1
    assert len(runs) == 2


# Ctrl-C is ignored in a process that was started in the background: a user's is not.
START = "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
START += "from porting.cli.main import main; sys.exit(main(sys.argv[1:]))"


class Watch:
    """A watch in a process of its own; its lines come as they are printed."""

    def __init__(self, folder, *words):
        self.process = subprocess.Popen(
            [sys.executable, "-c", START, "check", *words, "--watch", "--dtype", "float64"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder,
        )  # fmt: skip
        self.lines, self.said = queue.Queue(), []
        self.threads = [
            threading.Thread(target=self._read, args=[name, stream], daemon=True)
            for name, stream in (("out", self.process.stdout), ("err", self.process.stderr))
        ]
        for thread in self.threads:
            thread.start()

    def _read(self, name, stream):
        with stream:
            for line in stream:
                self.lines.put(f"{name}: {line}")
        self.lines.put("")

    def until(self, *texts):
        """Wait for a line that has all of this; return what was said since the last time."""
        return self._until(lambda said: all(text in said[-1] for text in texts), texts)

    def until_each(self, *texts):
        """Wait for lines that have one of these each: between the two streams there is no order."""
        return self._until(lambda said: all(any(text in line for line in said) for text in texts), texts)

    def _until(self, enough, texts):
        said, end = [], time.monotonic() + DEADLINE
        while not said or not enough(said):
            try:
                line = self.lines.get(timeout=max(end - time.monotonic(), 0))
            except queue.Empty:
                line = ""
            assert line, f"no {texts} in:\n{''.join([*self.said, *said])}"
            said.append(line)
        self.said += said
        return "".join(said)

    def until_there(self, path):
        """Wait for a file, and take it away."""
        end = time.monotonic() + DEADLINE
        while not path.exists():
            assert time.monotonic() < end, "".join([*self.said, *self.lines.queue])
            time.sleep(0.05)
        path.unlink()

    def interrupt(self):
        """Press Ctrl-C; return the exit code and what was said at the end."""
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(DEADLINE)
        for thread in self.threads:
            thread.join()
        return code, "".join(self.lines.queue)

    def end(self):
        self.process.kill()
        self.process.wait()


@pytest.fixture
def watch(tmp_path):
    started = []

    def start(*words):
        started.append(Watch(tmp_path, *words))
        return started[-1]

    yield start
    for one in started:
        one.end()


TORCH = """\
import torch


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        {forward}
        return 2 * x

    @staticmethod
    def backward(ctx, dy):
        return 2 * dy
"""
TF = """\
import tensorflow as tf
from factor import FACTOR


@tf.custom_gradient
def double(x):
    return 2 * x, lambda dy: FACTOR * dy
"""
LOOP = "open('began', 'w').close()\n        while x is not None: pass"
needs_frameworks = pytest.mark.skipif(
    any(RUNNERS[key].missing() for key in ("torch", "tf")), reason="checks pairs of both frameworks"
)
posix = pytest.mark.skipif(sys.platform == "win32", reason="there a run is not ended while a check hangs")


@pytest.mark.slow
@needs_frameworks
@posix
def test_a_story(watch, tmp_path):
    torch_side, tf_side, factor = (tmp_path / name for name in ("side_torch.py", "side_tf.py", "factor.py"))
    torch_side.write_text(TORCH.format(forward=""))
    tf_side.write_text(TF)
    words = ["--torch", "side_torch.py:Double", "--tf", "side_tf.py:double", "-k", "v", "--timeout", "600"]
    watching = watch(*words, "--json", "report.json")

    # Its import is not there yet.
    watching.until("err: side_tf.py:2: ModuleNotFoundError: No module named 'factor'; waiting for the next save\n")
    factor.write_text("FACTOR = 2\n")
    said = watching.until("out: watching side_torch.py, side_tf.py, factor.py; Ctrl-C ends\n")
    assert "  factor.py saved ─" in said
    assert " 0 differ; " in said
    first = [line for line in said.splitlines() if "Double" in line][:4]
    assert all("value" in line or "vjp" in line for line in first), said
    assert json.loads((tmp_path / "report.json").read_text())["exit_code"] == 0

    # A module that it imports is changed, and the size stays.
    factor.write_text("FACTOR = 3\n")
    said = watching.until("out: watching")
    assert "  factor.py saved ─" in said
    assert "Double  torch cpu float64 · gradient of x differs from TensorFlow in float64  (disagreement)" in said
    assert " 0 differ; " not in said
    assert json.loads((tmp_path / "report.json").read_text())["exit_code"] == 1

    # One does not parse, one is gone, one is empty.
    torch_side.write_text("import torch\n\nclass Double(:\n")
    assert "Traceback" not in watching.until("err: side_torch.py:3: SyntaxError: ", "; waiting for the next save\n")
    tf_side.unlink()
    watching.until_each("  side_tf.py gone ─", "err: side_tf.py: there is no such file; waiting for the next save\n")
    torch_side.write_text("")
    watching.until("err: side_torch.py: is empty; waiting for the next save\n")

    # All at once, and by renaming.
    factor.write_text("FACTOR = 2\n")
    tf_side.write_text(TF)
    beside = tmp_path / "beside"
    beside.write_text(TORCH.format(forward=""))
    beside.replace(torch_side)
    assert "saved ─" in watching.until(" 0 differ; ")
    watching.until("out: watching")

    # Saved in the middle of a run, which would take ten minutes.
    torch_side.write_text(TORCH.format(forward=LOOP))
    watching.until_there(tmp_path / "began")
    torch_side.write_text(TORCH.format(forward=""))
    said = watching.until("out: watching")
    assert said.count("  side_torch.py saved ─") == 2
    assert " 0 differ; " in said
    assert "interrupted" not in said

    # What ends its process is a finding.
    torch_side.write_text(TORCH.format(forward="import os; os._exit(3)"))
    assert "left with exit code 3" in watching.until("out: watching")
    assert watching.interrupt() == (1, "")


@pytest.mark.slow
@needs_frameworks
@posix
def test_interrupted_in_the_first_run(watch, tmp_path):
    (tmp_path / "side_torch.py").write_text(TORCH.format(forward=LOOP))
    watching = watch("--torch", "side_torch.py:Double", "-k", "value")
    watching.until_there(tmp_path / "began")
    code, said = watching.interrupt()
    assert code == 130
    assert "out: interrupted: " in said
    assert "Traceback" not in said
