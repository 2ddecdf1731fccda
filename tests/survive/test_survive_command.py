"""``porting survive`` as its users meet it: their own functions, from another folder."""

import json

import pytest
from interrupts import interrupted

from porting.registry import ops
from porting.runners import RUNNERS
from porting.survive.survive import survive as in_modes

pytestmark = pytest.mark.skipif(bool(RUNNERS["torch"].missing()), reason="needs PyTorch")

OWN = """
import os
import time

import torch


class Round(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return torch.round(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, dy):
        return 3 * dy


def rounded(x):
    return Round.apply(x)


class Clipped(Round):
    @staticmethod
    def backward(ctx, dy):
        return dy.clamp(-1, 1)


class Tangent(Round):
    @staticmethod
    def jvp(ctx, tx):
        return 3 * tx


def clipped(x):
    return Clipped.apply(x)


def tangent(x):
    return Tangent.apply(x)


def dies(x):
    if torch._C._functorch.is_batchedtensor(x):
        os._exit(7)
    return rounded(x)


def hangs(x):
    if torch._C._functorch.is_batchedtensor(x):
        time.sleep(600)
    return rounded(x)
"""

ENTRY = """
[[difference]]
op = "rounded"
check = "{}"
runner = "torch"
reason = "known"
link = "x"
expiry = "never"
"""


@pytest.fixture
def survive(tmp_path, warm):
    (tmp_path / "own.py").write_text(OWN)

    def run(*words):
        return warm.run("porting", "survive", *words, cwd=tmp_path, timeout=600)

    return run


@pytest.mark.slow
def test_a_lost_gradient_is_told_with_numbers_and_the_way_round(survive, tmp_path):
    run = survive(
        "--torch", "own.py:rounded", "--mode", "func", "--mode", "export", "--json", "a.json", "--svg", "a.svg"
    )
    assert run.returncode == 1, run.stdout + run.stderr
    assert "PyTorch export: lost silently: rounded" in run.stdout
    assert "instead: " in run.stdout
    said = json.loads((tmp_path / "a.json").read_text())
    fates = {cell["mode"]: cell for cell in said["cells"]}
    assert fates["func"]["fate"] == "kept"
    assert fates["export"]["fate"] == "lost silently"
    assert fates["export"]["got"] == 0
    assert fates["export"]["want"] != 0
    assert said["counts"] == {"kept": 1, "lost silently": 1}
    assert (tmp_path / "a.svg").read_text().startswith("<svg")


@pytest.mark.parametrize(("name", "told"), [("dies", "left with exit code 7"), ("hangs", "took longer than 8 s")])
@pytest.mark.slow
def test_a_process_that_ends_is_a_cell_and_the_others_are_asked(survive, tmp_path, name, told):
    words = ["--mode", "func", "--mode", "vmap", "--mode", "checkpoint", "--timeout", "8", "--json", "a.json"]
    run = survive("--torch", f"own.py:{name}", *words)
    assert run.returncode == 0, run.stdout + run.stderr
    cells = {cell["mode"]: cell for cell in json.loads((tmp_path / "a.json").read_text())["cells"]}
    assert {mode: cell["fate"] for mode, cell in cells.items()} == {
        "func": "kept", "vmap": "refused", "checkpoint": "kept",
    }  # fmt: skip
    assert told in cells["vmap"]["message"]


@pytest.mark.slow
def test_an_accepted_loss_is_no_difference_and_a_dead_entry_is_one(survive, tmp_path):
    (tmp_path / "known.toml").write_text(ENTRY.format("export"))
    words = ["--torch", "own.py:rounded", "--known", "known.toml", "--mode"]
    run = survive(*words, "export")
    assert run.returncode == 0, run.stdout + run.stderr
    assert "PyTorch export: accepted: rounded\n    known" in run.stdout
    (tmp_path / "known.toml").write_text(ENTRY.format("func"))
    run = survive(*words, "func")
    assert run.returncode == 1, run.stdout + run.stderr
    assert "known difference rounded func torch is dead" in run.stdout
    (tmp_path / "known.toml").write_text(ENTRY.format("func") + "sometimes = true\n")
    run = survive(*words, "func")
    assert run.returncode == 0, run.stdout + run.stderr
    assert "dead" not in run.stdout


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_no_twin_of_the_catalogue_loses_its_gradient_without_a_reason(seed):
    modes = ("checkpoint", "custom-op", "export", "func", "jvp", "make-fx", "vmap")  # compiled ones take minutes
    matrix = in_modes(runners=["torch"], modes=modes, seed=seed)
    assert [(cell.op, cell.mode) for cell in matrix.lost] == []
    assert matrix.problems == ()
    assert {cell.op for cell in matrix.cells} >= {op.name for op in ops().values() if op.in_catalogue}


@pytest.mark.slow
def test_an_interrupt_leaves_what_was_done(tmp_path):
    code, out, error = interrupted("survive", "straight_through", "--runner", "torch", cwd=tmp_path)
    assert code == 130, error
    assert "kept, interrupted" in out.splitlines()[-1]


def test_a_jacobian_is_asked_only_of_a_gradient_that_is_linear_in_the_cotangent(survive, tmp_path):
    for name, fate in (("clipped", "not applicable"), ("tangent", "kept")):
        survive("--torch", f"own.py:{name}", "--mode", "jvp", "--json", "a.json")
        (cell,) = json.loads((tmp_path / "a.json").read_text())["cells"]
        assert (cell["op"], cell["fate"]) == (name, fate), cell


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["ste_round", "--mode", "exprot"], "no mode is called 'exprot'; did you mean export?"),
        (["ste_round", "--mode", "eager"], "mode eager is what all others are compared with"),
        (["ste_rond"], "no op or family is called 'ste_rond'; did you mean ste_round"),
        (["--torch", "own.py:rounder"], "own.py has no rounder"),
        (["ste_round", "--json", "no/a.json"], "--json no/a.json: the folder no does not exist"),
        (["--torch", "own.py:rounded", "--runner", "tf"], "no side of rounded is for tf"),
        (["--torch", "own.py:rounded", "--mode", "cond"], "PyTorch has no mode cond"),
    ],
)
def test_bad_input_is_one_line(survive, words, told):
    run = survive(*words)
    assert run.returncode == 2, run.stdout
    assert run.stdout == ""
    (line,) = run.stderr.splitlines()
    assert told in line


def test_modes_are_explained_without_a_framework(survive):
    run = survive("--modes")
    assert run.returncode == 0
    assert "torch export: " in run.stdout
