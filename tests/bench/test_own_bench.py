"""A pair of one's own is measured: each side, beside the plain version of its framework."""

import json
import os
import subprocess
import sys

import pytest

from porting.bench.process import TIMING, Process
from porting.pairs.pair import Pair
from porting.runners import RUNNERS

pytestmark = pytest.mark.skipif(bool(RUNNERS["torch"].missing()), reason="needs PyTorch")
FAST = """
import torch


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x * x

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return 3 * x * x * dy


def slow(x):
    return sum(x * x * x for _ in range(40)) / 40


def other(x):
    return x * x * x * 1.1


def rows(x, *, axis):
    return torch.softmax(x, axis)
"""
TINY = ["--size", "2^6,2^8", "--rounds", "5", "--no-memory", "-q"]


@pytest.fixture
def bench(tmp_path):
    (tmp_path / "fast.py").write_text(FAST)
    (tmp_path / "fast_tf.py").write_text("def cube(x):\n    return x * x * x\n")

    def run(*words):
        command = [sys.executable, "-m", "porting", "bench", *words]
        env = {**os.environ, "COLUMNS": "200"}
        return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=env, check=False)

    return run


@pytest.mark.slow
def test_a_side_is_faster_than_a_slow_plain_version(bench, tmp_path):
    run = bench("--torch", "fast.py:Cube", "--like", "fast.py:slow", *TINY, "--mode", "torch-eager", "--json", "a.json")
    assert run.returncode == 0, run.stdout + run.stderr
    content = json.loads((tmp_path / "a.json").read_text())
    assert [(r["op"], r["family"], r["mode"], r["elements"]) for r in content["rows"]] == [
        ("Cube", "your own", "torch-eager", 64), ("Cube", "your own", "torch-eager", 256),
    ]  # fmt: skip
    assert all(r["ratios"]["composition"]["median"] < 0.5 for r in content["rows"])
    assert content["command"] == (
        "porting bench --torch fast.py:Cube --like fast.py:slow --size 2^6,2^8 --mode torch-eager --rounds 5 "
        "--no-memory --json a.json"
    )


@pytest.mark.slow
def test_a_plain_version_that_computes_something_else_has_no_time(bench):
    run = bench("--torch", "fast.py:Cube", "--like", "fast.py:other", *TINY, "--mode", "torch-eager")
    assert run.returncode == 0, run.stderr
    assert "composition: computes something else than the twin in " in run.stdout


@pytest.mark.slow
def test_inputs_and_statics_are_those_that_are_given(bench, tmp_path):
    words = ["--torch", "fast.py:rows", "--input", "x=float64[n,3]", "--static", "axis=0", "--mode", "torch-eager"]
    run = bench(*words, *TINY, "--json", "a.json")
    assert run.returncode == 0, run.stdout + run.stderr
    content = json.loads((tmp_path / "a.json").read_text())
    assert [r["shapes"] for r in content["rows"]] == ["x[21, 3]", "x[85, 3]"]
    assert "--input 'x=float64[n,3]' --static axis=0" in content["command"]


@pytest.mark.skipif(bool(RUNNERS["tf"].missing()), reason="needs both frameworks")
@pytest.mark.slow
def test_both_sides_are_measured_and_the_plain_version_beside_its_own(bench, tmp_path):
    words = ["--torch", "fast.py:Cube", "--tf", "fast_tf.py:cube", "--like", "fast.py:slow", "--json", "a.json"]
    run = bench(*words, *TINY, "--mode", "torch-eager,tf-eager")
    assert run.returncode == 0, run.stdout + run.stderr
    rows = json.loads((tmp_path / "a.json").read_text())["rows"]
    assert {(r["mode"], *r["ratios"]) for r in rows} == {("torch-eager", "floor", "composition"), ("tf-eager", "floor")}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--torch", "fast.py:nope"], "fast.py has no nope"),
        (["--torch", "fast.py:Cube", "--check"], "--check is for the catalogue and its bounds, not for Cube"),
        (["--torch", "fast.py:Cube", "--mode", "tf-eager"], "Cube has no side for tf-eager"),
        (["swish", "--torch", "fast.py:Cube"], "ops of the catalogue, or a pair of your own, not both"),
        (["--torch", "fast.py:Cube", "--torch-python", sys.executable], "another interpreter has no times"),
    ],
)
def test_bad_input_is_one_line(bench, words, said):
    run = bench(*words, *TINY)
    assert run.returncode == 2, run.stdout + run.stderr
    (line,) = run.stderr.strip().splitlines()
    assert line.startswith("porting: ")
    assert said in line


@pytest.mark.slow
def test_what_is_kept_for_the_backward_is_told(tmp_path):
    (tmp_path / "kept_here.py").write_text(FAST)
    pair = Pair(torch=f"{tmp_path}/kept_here.py:Cube", like=f"{tmp_path}/kept_here.py:other")
    with Process(TIMING) as process:
        ask = {"task": "kept", "op": pair, "backend": "torch", "dtype": "float32", "size": 2**12, "statics": {}}
        assert process.ask(ask) == {"twin": 1.0, "composition": 2.0}
