"""A framework that is installed and does not import is told as its state, in one line; the other side goes on."""

import json
import os
import subprocess
import sys

import pytest

from porting.runners import RUNNERS

LIBRARY = "libtorch_cpu.so: cannot open shared object file: No such file or directory"
BROKEN = {
    "torch": f"raise OSError({LIBRARY!r})\n",
    "tensorflow": "raise ImportError('DLL load failed while importing _pywrap_tensorflow')\n",
}
TOLD = {
    "torch": f"torch: PyTorch is installed and cannot be imported ({LIBRARY})",
    "tensorflow": "tf: TensorFlow is installed and cannot be imported (DLL load failed while importing _pywrap_",
}


@pytest.fixture
def porting(tmp_path):
    """Run the command where some frameworks do not import."""
    site = tmp_path.parent / f"{tmp_path.name}-site"

    def run(*words, broken=("torch", "tensorflow")):
        for package in broken:
            (site / package).mkdir(parents=True)
            (site / package / "__init__.py").write_text(BROKEN[package])
        path = os.pathsep.join(filter(None, [str(site), os.environ.get("PYTHONPATH")]))
        return subprocess.run(
            [sys.executable, "-m", "porting", *words], capture_output=True, text=True, cwd=tmp_path, check=False,
            env={**os.environ, "PYTHONPATH": path, "COLUMNS": "200"},
        )  # fmt: skip

    return run


def told(run, code):
    assert run.returncode == code, run.stdout + run.stderr
    assert "Traceback" not in run.stderr
    assert "fault of porting" not in run.stderr
    return run.stdout


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_nothing_is_compared_where_neither_imports(porting, jobs):
    out = told(porting("check", "my_elementwise", "--dtype", "float64", "--jobs", jobs), 5)
    assert all(out.count(line) >= 1 for line in TOLD.values()), out


@pytest.mark.slow
@pytest.mark.skipif(bool(RUNNERS["torch"].missing()), reason="needs PyTorch")
def test_the_other_framework_goes_on(porting, tmp_path):
    words = ["check", "my_elementwise", "--dtype", "float64", "--json", "report.json"]
    out = told(porting(*words, broken=["tensorflow"]), 0)
    assert TOLD["tensorflow"] in out
    report = json.loads((tmp_path / "report.json").read_text())
    assert {r["runner"] for r in report["results"]} == {"oracle", "torch"}
    assert {*report["missing"]} - {"torch gpu"} == {"tf"}


SIDES = {
    "one.py": "import torch\n\ndef soft(x):\n    return x / (1 + x.abs())\n",
    "two.py": "import tensorflow as tf\n\ndef soft(x):\n    return x / (1 + tf.abs(x))\n",
}


@pytest.mark.slow
@pytest.mark.skipif(bool(RUNNERS["torch"].missing()), reason="needs PyTorch")
def test_the_other_side_of_a_pair_goes_on_and_nothing_is_said_to_agree(porting, tmp_path):
    for name, text in SIDES.items():
        (tmp_path / name).write_text(text)
    sides = ["--torch", "one.py:soft", "--tf", "two.py:soft"]
    run = porting("check", *sides, "--dtype", "float64", "-k", "adjoint", "--json", "-", broken=["tensorflow"])
    told(run, 5)
    assert "No verdict on the value of the tf side: TensorFlow is installed and cannot be imported" in run.stderr
    report = json.loads(run.stdout)
    assert {(r["runner"], r["check"]): r["status"] for r in report["results"]} == {
        ("tf", "value"): "no verdict",
        ("torch", "adjoint"): "agree",
    }


def test_no_side_is_left(porting, tmp_path):
    for name, text in SIDES.items():
        (tmp_path / name).write_text(text)
    out = told(porting("check", "--torch", "one.py:soft", "--tf", "two.py:soft"), 5)
    assert all(line in out for line in TOLD.values()), out


@pytest.mark.parametrize(
    "words",
    [
        ["check", "my_elementwise", "--runner", "torch"],
        ["check", "--torch", "one.py:soft", "--runner", "torch"],
        ["record", "--torch", "one.py:soft", "-o", "file.npz"],
    ],
    ids=str,
)
def test_it_is_refused_where_it_is_named(porting, tmp_path, words):
    (tmp_path / "one.py").write_text(SIDES["one.py"])
    run = porting(*words)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == f"porting: runner {TOLD['torch']}\n"


@pytest.mark.parametrize(
    ("words", "code"), [([], 5), (["survive", "sin_squared", "-q"], 5), (["train", "legendre"], 0)], ids=str
)
def test_other_commands_tell_it_too(porting, words, code):
    out = told(porting(*words), code)
    assert all(line in out for line in TOLD.values()), out
