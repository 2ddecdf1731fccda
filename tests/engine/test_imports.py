"""Where work runs in worker processes, the process of the caller loads neither framework."""

import subprocess
import sys

import pytest

pytest.importorskip("torch")
pytest.importorskip("tensorflow")

SIDE = """
import {module}

open("loaded", "a").close()


def double(x):
    return x + x
"""
MAIN = """
import sys
from porting.cli.main import main
code = main({arguments!r})
print(code, *(name for name in ("torch", "tensorflow") if name in sys.modules))
"""


def command(folder, *arguments):
    """Run the command in a new process; return its exit code, the frameworks that are loaded there, and its stderr."""
    run = subprocess.run(
        [sys.executable, "-c", MAIN.format(arguments=list(arguments))],
        cwd=folder, capture_output=True, text=True, check=True,
    )  # fmt: skip
    code, *loaded = run.stdout.splitlines()[-1].split()
    return int(code), loaded, run.stderr


@pytest.fixture
def pair(tmp_path):
    """Return a folder with a pair; each file loads its framework, as those of users do."""
    for module in ("torch", "tensorflow"):
        (tmp_path / f"{module}_side.py").write_text(SIDE.format(module=module))
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "sin_squared", "--jobs", "2", "--dtype", "float64", "-k", "value"],
        ["record", "sin_squared", "--jobs", "2", "--dtype", "float64", "-k", "value", "-o", "file.npz"],
    ],
)
def test_an_op_of_the_catalogue(tmp_path, arguments):
    assert command(tmp_path, *arguments)[:2] == (0, [])


@pytest.mark.parametrize("sides", [("torch", "tensorflow"), ("torch",), ("tensorflow",)])
@pytest.mark.slow
def test_a_pair_by_name(pair, sides):
    options = [f"--{side.replace('tensorflow', 'tf')}={side}_side.py:double" for side in sides]
    code, loaded, errors = command(pair, "check", *options, "--dtype", "float64", "-k", "adjoint")
    assert (code, loaded, errors) == (0, [], "")
    assert (pair / "loaded").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--torch", "torch_side.py:duoble"], "did you mean double?"),
        (["--tf", "no_such.py:f"], "there is no such file"),
        (["--torch", "torch_side.py:double", "--input", "x=float64", "--input", "y=float64"], "cannot be called"),
        (["--torch", "torch_side.py:double", "--device", "gpu"], ""),  # the machine may have one
        (["--torch", "torch_side.py:double", "--mode", "xla", "--runner", "oracle"], ""),
    ],
)
def test_a_mistake_is_one_line(pair, options, said):
    code, loaded, errors = command(pair, "check", *options, "-k", "adjoint")
    assert loaded == []
    assert code == 2 or not said
    assert errors.count("\n") <= 1
    assert said in errors
    misspelt = "did you mean" in said or "no such file" in said
    assert not (misspelt and (pair / "loaded").exists()), "a name is looked up before a framework is imported"


@pytest.mark.slow
def test_a_recording_and_what_it_is_checked_by(pair):
    quick = ("--dtype", "float64", "-k", "adjoint")
    assert command(pair, "record", "--torch=torch_side.py:double", *quick, "-o", "file.npz")[:2] == (0, [])
    assert command(pair, "check", "--tf=tensorflow_side.py:double", *quick, "--against=file.npz")[:2] == (0, [])


@pytest.mark.slow
def test_without_workers_the_framework_is_here(tmp_path):
    """What the other tests do not find can be found."""
    arguments = ["check", "sin_squared", "--runner", "torch", "--dtype", "float64", "-k", "value"]
    assert command(tmp_path, *arguments)[:2] == (0, ["torch"])


@pytest.mark.slow
def test_the_twins_do_not_load_the_compiler():
    """It takes as long as all of PyTorch, in each process."""
    text = "import sys, torch_impl; print('torch' in sys.modules, 'torch._dynamo' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["True", "False"]
