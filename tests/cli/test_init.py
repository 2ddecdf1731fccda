"""`porting init` finds the pairs of a repository; what it writes is a list that `porting check` takes."""

import subprocess
import sys
import tomllib

import pytest

from porting.cli.main import main
from porting.pairs.listed import listed_pairs

TORCH = """
import torch
from torch import nn


class SoftSignFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x

    @staticmethod
    def backward(ctx, dy):
        return dy


def soft_sign(x):
    return SoftSignFunction.apply(x)


class Spike(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, slope):
        return x

    @staticmethod
    def backward(ctx, dy):
        return dy, None


class Reversal(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, dy):
        return -dy


class Gate(nn.Module):
    def forward(self, x):
        return Spike.apply(x, 1.0)


def helper(x):
    return x
"""
TF = """
import tensorflow as tf


@tf.custom_gradient
def tf_soft_sign(x):
    return x, lambda dy: dy


def spike(x, slope=25.0):
    @tf.custom_gradient
    def inner(x):
        return x, lambda dy: dy
    return inner(x)


class Gate(tf.keras.layers.Layer):
    def call(self, x):
        return spike(x)


@tf.custom_gradient
def gradient_revers(x):
    return x, lambda dy: -dy
"""
PLAIN = "import tensorflow as tf\n\n\ndef reversal(x):\n    return x\n"


@pytest.fixture
def repository(tmp_path):
    (tmp_path / "pt").mkdir()
    (tmp_path / "pt" / "ops.py").write_text(TORCH)
    (tmp_path / "ops_tf.py").write_text(TF)
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "theirs.py").write_text(TF)
    return tmp_path


def test_pairs_are_found_by_name_and_signature(repository, capsys):
    (repository / "plain.py").write_text(PLAIN)
    assert main(["init", str(repository)]) == 0
    written = repository / "pairs.toml"
    pairs = tomllib.loads(written.read_text())["pair"]
    assert pairs["soft_sign"] == {"torch": "pt/ops.py:soft_sign", "tf": "ops_tf.py:tf_soft_sign"}
    assert pairs["spike"] == {"torch": "pt/ops.py:Spike", "tf": "ops_tf.py:spike"}
    assert pairs["gate"] == {"torch": "pt/ops.py:Gate", "tf": "ops_tf.py:Gate"}
    assert pairs["reversal"] == {"torch": "pt/ops.py:Reversal", "tf": "plain.py:reversal"}
    assert pairs["gradient_revers"] == {"tf": "ops_tf.py:gradient_revers"}
    assert "helper" not in written.read_text()
    out = capsys.readouterr().out
    assert out.startswith(f"{written}: 4 pairs, 1 of them in doubt, 1 without a counterpart\n")
    assert out.endswith(f"porting check {written}\n")


def test_what_is_in_doubt_is_marked(repository):
    assert main(["init", str(repository)]) == 0
    text = (repository / "pairs.toml").read_text()
    before, _, _ = text.partition("[pair.spike]")
    taken = "# TODO: torch takes (x, slope) and tf takes (x, slope): "
    assert before.rstrip().endswith(f"{taken}say what they are called with, input = [...], static = [...]")
    before, _, _ = text.partition("[pair.reversal]")
    assert before.rstrip().splitlines()[-1].startswith("# TODO: no counterpart was found")


def test_a_name_that_is_alike_is_in_doubt(tmp_path, capsys):
    (tmp_path / "a.py").write_text(TORCH.replace("Reversal", "GradientReverse"))
    (tmp_path / "b.py").write_text(TF)
    assert main(["init", str(tmp_path)]) == 0
    text = (tmp_path / "pairs.toml").read_text()
    assert "# TODO: the names are alike, and not the same: GradientReverse, gradient_revers" in text


def test_the_list_can_be_read(repository):
    assert main(["init", str(repository), "-o", str(repository / "pt" / "own.toml")]) == 0
    pairs = {pair.name: pair for pair in listed_pairs(repository / "pt" / "own.toml")}
    assert set(pairs["soft_sign"].sides) == {"torch", "tf"}


def test_no_framework_is_imported(repository):
    code = f"import sys; from porting.cli.main import main; main(['init', {str(repository)!r}]); print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"torch", "tensorflow", "numpy"} & set(run.stdout.split())


def test_a_file_that_does_not_parse_is_told(repository, capsys):
    (repository / "broken.py").write_text("def f(:\n")
    assert main(["init", str(repository)]) == 0
    assert "broken.py: cannot be read: invalid syntax" in capsys.readouterr().err


@pytest.mark.parametrize("there", [True, False])
def test_bad_input_is_told_and_nothing_is_lost(tmp_path, capsys, there):
    target = tmp_path / "pairs.toml"
    if there:
        (tmp_path / "a.py").write_text(TORCH)
        target.write_text("mine")
    assert main(["init", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert ("is there already" if there else "no file in it has a torch.autograd.Function") in said
    assert not there or target.read_text() == "mine"
    assert there or not target.exists()
    assert main(["init", str(tmp_path / "nowhere")]) == 2
    assert "a folder is wanted" in capsys.readouterr().err
