"""A framework that another package adds: HIPS autograd, from the folder ``third``, without a change of ours."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

THIRD = Path(__file__).parent / "third"
TORCH = """
import torch

class Weighed(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return weight * torch.tanh(x)

    @staticmethod
    def backward(ctx, dy):
        x, weight = ctx.saved_tensors
        y = torch.tanh(x)
        return dy * weight * (1 - y * y), dy * y
"""
HIPS = """
import autograd.numpy as np
from autograd.extend import defvjp, primitive

@primitive
def weighed(x, weight):
    return weight * np.tanh(x)

defvjp(
    weighed,
    lambda y, x, weight: lambda dy: dy * weight * (1 - np.tanh(x) ** 2),
    lambda y, x, weight: lambda dy: FACTOR * dy * np.tanh(x),
)
"""
SHAPES = ("--input", "x=float64[n]", "--input", "weight=float64[n]")
TESTS = """
import porting
from porting.pytest_plugin import parametrize_checks

PAIR = porting.Pair(sides={"torch": "t.py:Weighed", "hips": "h.py:weighed"}, inputs={
    "x": porting.array(("n",)), "weight": porting.array(("n",)),
})

@parametrize_checks(PAIR, only=["value", "vjp", "retained", "second_order"])
def test_weighed(check):
    check()
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "t.py").write_text(TORCH)
    (tmp_path / "h.py").write_text(HIPS.replace("FACTOR", "1"))
    (tmp_path / "off.py").write_text(HIPS.replace("FACTOR", "3"))
    (tmp_path / "test_weighed.py").write_text(TESTS)
    return tmp_path


def ran(folder, *arguments, code=0, beside=THIRD, module="porting"):
    """Run a command in a process of its own, which finds the backend as an installed package is found."""
    path = os.pathsep.join([str(beside), str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=folder, env={**os.environ, "PYTHONPATH": path}, text=True, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_it_agrees_with_pytorch(folder, jobs):
    out = ran(folder, "check", "--torch", "t.py:Weighed", "--hips", "h.py:weighed", *SHAPES, "--jobs", jobs)
    assert "HIPS autograd" in out
    assert "65 agree, 0 differ;" in out.splitlines()[-1]


@pytest.mark.slow
def test_a_wrong_side_is_found_and_named_with_its_own_fix(folder):
    given = ("--torch", "t.py:Weighed", "--hips", "off.py:weighed", "--reference", "torch", *SHAPES)
    out = ran(folder, "check", *given, "--json", "r.json", code=1)
    assert "constant_factor" in out
    assert "Compare the rule that `defvjp` is given" in out
    report = json.loads((folder / "r.json").read_text())
    assert {result["runner"] for result in report["results"] if result["status"] == "differ"} == {"hips"}


@pytest.mark.slow
def test_without_a_reference_both_are_told_and_the_two_are_named(folder):
    out = ran(folder, "check", "--torch", "t.py:Weighed", "--hips", "off.py:weighed", *SHAPES, code=1)
    assert "differs from HIPS autograd in float64" in out
    assert "--reference torch or hips" in out


@pytest.mark.slow
def test_alone_it_is_compared_with_its_own_forward(folder):
    assert "✓" in ran(folder, "check", "--hips", "h.py:weighed", *SHAPES)
    ran(folder, "check", "--hips", "off.py:weighed", *SHAPES, "--strict", code=1)


@pytest.mark.slow
def test_the_pytest_plugin_runs_it(folder):
    out = ran(folder, "-q", "-p", "no:cacheprovider", "test_weighed.py", module="pytest")
    assert "failed" not in out
    (folder / "h.py").write_text(HIPS.replace("FACTOR", "3"))
    assert "HIPS autograd" in ran(folder, "-q", "-p", "no:cacheprovider", "test_weighed.py", module="pytest", code=1)


@pytest.mark.slow
def test_it_is_recorded_and_a_port_is_checked_against_it(folder):
    ran(folder, "record", "--hips", "h.py:weighed", *SHAPES, "-o", "weighed.npz", "-q")
    assert "✓" in ran(folder, "check", "--torch", "t.py:Weighed", "--against", "weighed.npz")
    (folder / "t.py").write_text(TORCH.replace("dy * y\n", "3 * dy * y\n"))
    out = ran(folder, "check", "--torch", "t.py:Weighed", "--against", "weighed.npz", code=1)
    assert "constant_factor" in out


@pytest.mark.slow
def test_a_list_of_pairs_names_it(folder):
    shapes = 'input = ["x=float64[n]", "weight=float64[n]"]'
    (folder / "pairs.toml").write_text(f'[pair.weighed]\ntorch = "t.py:Weighed"\nhips = "h.py:weighed"\n{shapes}\n')
    assert "HIPS autograd" in ran(folder, "check", "pairs.toml")


@pytest.mark.slow
def test_the_catalogue_has_no_twins_in_it(folder):
    out = ran(folder, "check", "custom_exp", "--dtype", "float64")
    assert "HIPS" not in out


@pytest.mark.slow
def test_one_that_does_not_load_is_told_of_and_left_out(folder):
    (folder / "bad-1.dist-info").mkdir()
    (folder / "bad-1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: bad\nVersion: 1\n")
    (folder / "bad-1.dist-info" / "entry_points.txt").write_text(
        "[porting.backends]\nbad = nowhere:BACKEND\nodd = json:dumps\n"
    )
    out = ran(folder, "check", "custom_exp", "--dtype", "float64", beside=folder)
    assert "bad = nowhere:BACKEND does not load (ModuleNotFoundError: No module named 'nowhere'); it is left out" in out
    assert "odd = json:dumps is <function dumps" in out
