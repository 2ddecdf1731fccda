"""Translating runs nothing of the user's file, and writes nothing but what was asked for."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

CANARY = """import os
import torch
from . import sibling
from mystery.deep import thing

open("canary", "w").write("I ran")
os.system("touch canary")


def sing(*_, **__):
    open("canary", "w").write("I was called")
    return lambda f: f


class Meta(type(torch.autograd.Function)):
    def __new__(cls, *args):
        sing()
        return super().__new__(cls, *args)


LIMIT = sing() or 3.0


class Cube(torch.autograd.Function):
    f\"\"\"Of {sing()}.\"\"\"
    size = sing()

    @staticmethod
    def forward(ctx, x, scale: sing() = 2.0):
        ctx.save_for_backward(x)
        ctx.scale = scale
        return scale * x**3

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return 3 * ctx.scale * x**2 * dy, None


class Sung(torch.autograd.Function):
    @staticmethod
    @sing("la")
    def forward(ctx, x, y=sing()):
        return eval("sing()"), exec("sing()"), __import__("sibling"), LIMIT

    @staticmethod
    def backward(ctx, dy):
        return sing(dy), None
"""
# Tells of everything that happens; the folder of the script is not that of the canary.
WATCH = """import json, os, sys

seen = []


def theirs(code):  # dataclasses run texts too: what is in the code tells whose it is
    names = {*code.co_names, *code.co_varnames, *code.co_consts}
    inner = [c for c in code.co_consts if hasattr(c, "co_code")]
    return "theirs" if {"sing", "canary"} & names or any(map(theirs, inner)) else ""


def hook(event, arguments):
    if event == "open":
        path, mode, flags = arguments
        if isinstance(path, (str, bytes)) and (flags or 0) & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            seen.append((event, os.fsdecode(path)))
    elif event == "exec":
        seen.append((event, theirs(arguments[0]) or arguments[0].co_filename))
    elif event == "import":
        seen.append((event, arguments[0]))
    elif event.split(".")[0] in {"socket", "subprocess", "shutil", "ctypes", "pty", "urllib", "winreg", "sqlite3"}:
        seen.append((event, repr(arguments)))
    elif event.startswith("os.") and event not in {"os.listdir", "os.scandir", "os.walk", "os.fwalk"}:
        seen.append((event, repr(arguments)))


from porting.cli.main import main

sys.addaudithook(hook)
code = main(sys.argv[2:])
happened, seen = seen, []
open(sys.argv[1], "w").write(json.dumps([code, happened]))
"""


@pytest.fixture
def folder(tmp_path):
    """Return a folder with the canary, beside which stand modules that nobody may import."""
    folder = tmp_path / "package"
    folder.mkdir()
    (folder / "ops.py").write_text(CANARY)
    for name in ("torch", "tensorflow", "numpy", "sibling", "mystery", "__init__", "conftest", "setup"):
        (folder / f"{name}.py").write_text('open("canary", "w").write("I was imported")\n')
    return folder


def watched(folder, *words):
    """Run the command under an audit hook; return its exit code and the events."""
    script = folder.parent / "watch.py"
    script.write_text(WATCH)
    run = subprocess.run(
        [sys.executable, "-B", "-X", "frozen_modules=off", str(script), "../events.json", "translate", *words],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "Traceback" not in run.stderr, run.stderr
    assert not (folder / "canary").exists()
    return json.loads((folder.parent / "events.json").read_text())


@pytest.mark.parametrize(
    "words",
    [
        ["ops.py", "--to", "tf", "--no-check"],
        ["ops.py:Cube", "--to", "tf", "--no-check", "--round-trip", "-o", "out/one.py"],
        ["ops.py:Cube", "--to", "numpy"],
        ["ops.py:Sung", "--to", "tf", "--no-check"],
        ["ops.py:sing", "--to", "tf", "--no-check"],
        ["ops.py:Nightingale", "--to", "tf"],
        ["ops.py", "--to", "torch"],
        [".", "--to", "tf", "--no-check", "-o", "out", "--json", "out/a.json", "--html", "out/a.html"],
    ],
    ids=" ".join,
)
def test_nothing_is_run(folder, words):
    out = folder / "out"
    out.mkdir()
    before = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    _, events = watched(folder, *words)
    assert {path: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before
    for event, what in events:
        place = Path(folder, what) if event in {"open", "exec"} else None
        if event == "open":
            assert place.resolve().is_relative_to(out) or what == "/dev/null", (event, what)
        elif event == "exec":
            assert not place.is_relative_to(folder.parent) or what.startswith("<"), (event, what)
            assert what != "theirs"
        elif event == "import":
            assert what not in {"ops", "package", "package.ops", "torch", "tensorflow", "numpy", "sibling", "mystery"}
        else:
            assert event in {"os.rename", "os.remove", "os.chmod", "os.mkdir"}, (event, what)
            assert str(out) in what or what.startswith("('out'"), (event, what)


def test_the_hook_sees_what_it_should(folder):
    """A canary that is run would be noticed: the same hook, and a command that imports the file."""
    script = folder.parent / "watch.py"
    script.write_text(WATCH.replace("code = main(sys.argv[2:])", "code = 0\nsys.path.insert(0, '.')\nimport sibling"))
    subprocess.run([sys.executable, "-B", str(script), "../events.json"], cwd=folder, check=True)
    _, events = json.loads((folder.parent / "events.json").read_text())
    assert ["import", "sibling"] in events
    assert ["exec", "theirs"] in events
    assert ["open", "canary"] in events


@pytest.mark.slow
def test_checking_runs_it_in_a_worker_only(tmp_path):
    for framework in ("torch", "tensorflow"):
        pytest.importorskip(framework)
    (tmp_path / "ops.py").write_text(
        "import os, pathlib, sys\nimport torch\n"
        "pathlib.Path('pids').open('a').write(f'{os.getpid()} {os.getppid()}\\n')\n"
        "print('noise'); sys.stderr.write('noise')\n"
        + CANARY[CANARY.index("class Cube") : CANARY.index("class Sung")]
        .replace('    f"""Of {sing()}."""\n    size = sing()\n', "")
        .replace(": sing()", "")
    )
    run = subprocess.Popen(
        [sys.executable, "-m", "porting", "translate", "ops.py", "--to", "tf", "--dtype", "float64"],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    out, err = run.communicate(timeout=300)
    assert run.returncode == 0, err
    assert "Proven with PyTorch" in out
    assert "noise" not in out + err
    pids = {int(pid) for pid in (tmp_path / "pids").read_text().split()[::2]}
    assert pids
    assert run.pid not in pids
    assert os.getpid() not in pids
    assert sorted(path.name for path in tmp_path.iterdir() if path.name != "__pycache__") == ["ops.py", "pids"]
