"""A side in another interpreter answers as it does here; an interpreter that cannot be used gets one clear line."""

import os
import stat
import subprocess
import sys

import pytest

from porting import Pair, array, check
from porting.cli.main import main
from porting.runners import process

pytest.importorskip("torch")

HERE = """
import os, time
import torch

calls = []

class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.save_for_backward(x)
        ctx.factor = factor
        print("noise on the standard output")
        return x ** 3 * factor

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return ctx.factor * 3 * x ** 2 * dy, None

def cube(x, factor=1.0):
    return Cube.apply(x, factor)

def wrong(x, factor=1.0):
    return Wrong.apply(x)

class Wrong(Cube):
    @staticmethod
    def forward(ctx, x):
        return Cube.forward(ctx, x, 1.0)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return -3 * x ** 2 * dy

def seeds(x, factor=1.0):
    torch.manual_seed(0)
    return cube(x)

def doubled(x, factor=1.0):
    return cube(x).double()

def refuses(x, factor=1.0):
    if x.ndim == 2:
        raise ValueError("one axis is wanted")
    return cube(x)

def counted(x):
    calls.append(1)
    return len(calls) == 5

def dies(x):
    if counted(x):
        os._exit(3)
    return x * x

def is_killed(x):
    if counted(x):
        os.kill(os.getpid(), 9)
    return x * x

def hangs(x):
    if counted(x):
        time.sleep(1000)
    return x * x

def writes_everywhere(x):
    if counted(x):
        for file in range(1, 30):
            try:
                os.write(file, b"x" * 999)
            except OSError:
                pass
    return x * x

def three(x, y, z):
    return x * y * z
"""
OURS = """
import torch

def cube(x):
    return x ** 3

def square(x):
    return x * x
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("elsewhere")
    (folder / "theirs.py").write_text(HERE)
    (folder / "ours.py").write_text(OURS)
    return folder


def wrapper(folder, name, script):
    """Return the path of an executable shell script."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def with_module(folder, name, text):
    """Return this interpreter with another package before the real one."""
    place = folder / f"with_{name}_{abs(hash(text))}"
    place.mkdir(exist_ok=True)
    (place / f"{name}.py").write_text(text)
    return wrapper(folder, f"{place.name}.sh", f'PYTHONPATH={place} exec {sys.executable} "$@"')


def nowhere(folder):
    return folder / "nowhere"


def a_folder(folder):
    return folder


def not_executable(folder):
    return folder / "theirs.py"


def not_python(folder):
    return "/bin/ls"


def silent(folder):
    return wrapper(folder, "silent", "exit 0")


def chatty(folder):
    return wrapper(folder, "chatty", "yes I am no Python")


def python_2(folder):
    return wrapper(folder, "python2", r"printf '\000gradport python 2.7.18\n'")


def no_numpy(folder):
    if not (folder / "empty").exists():
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "empty"], check=True)
    return folder / "empty" / "bin" / "python"


def broken_numpy(folder):
    return with_module(folder, "numpy", "raise ImportError('libopenblas.so.0: cannot open')")


def no_torch(folder):
    return with_module(folder, "torch", "raise ModuleNotFoundError(\"No module named 'torch'\")")


def old_torch(folder):
    return with_module(folder, "torch", "__version__ = '1.4.0'")


def dies_at_import(folder):
    return with_module(folder, "torch", "import os; os.kill(os.getpid(), 9)")


def says_nothing(folder):
    return wrapper(folder, "sleeper", "exec sleep 1000")


UNUSABLE = {
    nowhere: "there is no such file",
    a_folder: "is a folder",
    not_executable: "cannot be executed",
    not_python: "it is no Python interpreter",
    silent: "it is no Python interpreter",
    chatty: "it said: 'I am no Python'",
    python_2: "it is Python 2.7.18; 3.7 or later is wanted",
    no_numpy: "without NumPy; it said: \"nothing: No module named 'numpy'\"",
    broken_numpy: "libopenblas.so.0: cannot open",
    no_torch: "no PyTorch there (ModuleNotFoundError: No module named 'torch')",
    old_torch: "its version is 1.4.0, 1.8 or later is wanted",
    dies_at_import: "it was killed by SIGKILL, importing the framework",
    says_nothing: "it said nothing for 3 s",
}


def refused(capsys, *arguments):
    assert main(["check", *(str(a) for a in arguments)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    lines = [line for line in said.err.splitlines() if "checks, about" not in line]
    assert len(lines) == 1, said.err
    assert lines[0].startswith("porting: ")
    return lines[0]


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="the interpreters are shell scripts")
@pytest.mark.parametrize("interpreter", UNUSABLE, ids=lambda f: f.__name__)
def test_an_interpreter_that_cannot_be_used_is_named(interpreter, folder, capsys, monkeypatch):
    if interpreter is says_nothing:  # the others have the usual time: on a busy machine a start takes seconds
        monkeypatch.setattr(process, "_PATIENCE", 3.0)
    monkeypatch.chdir(folder)
    path = interpreter(folder)
    line = refused(capsys, "--torch", "theirs.py:cube", "--torch-python", path)
    assert f"--torch-python {path}" in line
    assert UNUSABLE[interpreter] in line


@pytest.mark.parametrize(
    ("function", "words"),
    [
        ("dies", "it left with exit code 3, running the function"),
        ("is_killed", "it was killed by SIGKILL, running the function"),
        ("hangs", "took longer than 5 s to answer"),
        ("writes_everywhere", "it answered something that is no message, running the function"),
        ("gone", "has no gone"),
        ("calls", "of type list: a function is wanted"),
    ],
)
@pytest.mark.slow
def test_what_goes_wrong_half_way_is_named(function, words, folder, capsys, monkeypatch):
    monkeypatch.chdir(folder)
    line = refused(
        capsys, "--torch", f"theirs.py:{function}", "--torch-python", sys.executable, "--input", "x=float64[3]",
        "-k", "shapes", *(["--timeout", "5"] if function == "hangs" else []),
    )  # fmt: skip
    assert words in line


@pytest.mark.slow
@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["--torch", "ours.py:cube", "--tf-python", "x"], "which function runs there? Give --tf FUNCTION too"),
        (
            ["--torch", "theirs.py:three", "--torch-python", sys.executable, "--input", "x=float64[3]"],
            "called with (x)",
        ),
        (["--torch", "theirs.py:cube", "--torch-python", sys.executable, "--static", "k=1"], "called with (x, factor"),
    ],
)
def test_what_does_not_fit_is_named(given, words, folder, capsys, monkeypatch):
    monkeypatch.chdir(folder)
    assert words in refused(capsys, *given)


def test_a_function_object_cannot_run_elsewhere():
    with pytest.raises(ValueError, match="give that side by name"):
        Pair(torch=lambda x: x, python={"torch": sys.executable})


def said(report):
    """Return what a report says, as far as it is the same wherever a side runs."""
    results = [(r.check, r.dtype, r.status, [f.what for f in r.findings], r.compared) for r in report.results]
    return results, [(d.cause, d.seen) for d in report.diagnoses]


@pytest.mark.parametrize("function", ["cube", "wrong", "seeds", "doubled", "refuses"])
@pytest.mark.slow
def test_a_side_elsewhere_is_judged_as_here(function, folder, monkeypatch):
    monkeypatch.chdir(folder)
    dtypes = ["bfloat16", "float64"]  # all types cross bit by bit, see tests/recordings/test_replay.py
    only = [
        "value",
        "vjp",
        "raw_gradient",
        "global_state",
        "layouts",
        "leak",
        "special_values",
        "subsets",
        "vmap",
        "jvp",
    ]

    inputs = {"x": array((..., "n"))}  # said: only a side that runs here has its inputs guessed

    def judged(**python):
        pair = Pair(torch=f"theirs.py:{function}", inputs=inputs, **python)
        return check(pair, dtypes=dtypes, only=only, isolate=False)

    here = judged()
    elsewhere = judged(python={"torch": sys.executable})
    assert said(elsewhere) == said(here)
    assert elsewhere.environment["torch"].startswith(f"{here.environment['torch']} (Python ")


@pytest.mark.slow
def test_both_sides_elsewhere_and_in_worker_processes(folder, monkeypatch):
    pytest.importorskip("tensorflow")
    monkeypatch.chdir(folder)
    (folder / "tf_side.py").write_text("def cube(x):\n    print('noise')\n    return x ** 3\n")
    sides = {"torch": "theirs.py:wrong", "tf": "tf_side.py:cube", "reference": "tf"}
    modes, only = (
        ["eager", "function"],
        ["vjp", "raw_gradient", "traced", "python_state", "variables", "keyword_call"],
    )
    just = {"modes": modes, "only": only, "dtypes": ["float64"], "jobs": 2}
    here = check(Pair(**sides), **just)
    elsewhere = check(Pair(**sides, python=dict.fromkeys(("torch", "tf"), sys.executable)), **just)
    assert said(elsewhere) == said(here)
    assert elsewhere.diagnoses[0].cause == "wrong_sign"
