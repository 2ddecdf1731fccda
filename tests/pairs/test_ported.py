"""A list of pairs is recorded, checked against the recording, and translated, as it is checked."""

import pytest

from porting.cli.main import main
from porting.errors import PairError
from porting.pairs.listed import listed_pairs
from porting.pairs.ported import ported_from, ported_to

pytest.importorskip("torch")
pytest.importorskip("tensorflow")

OLD = """
import tensorflow as tf


@tf.custom_gradient
def softsign(x, *, slope=1.0):
    s = 1 + tf.abs(x)
    return x / s, lambda dy: slope * tf.convert_to_tensor(dy) / s**2


@tf.custom_gradient
def halved(x):
    return x / 2, lambda dy: tf.convert_to_tensor(dy) / 2
"""
NEW = """
import torch


class SoftSign(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, slope=1.0):
        ctx.save_for_backward(x)
        ctx.slope = slope
        return x / (1 + x.abs())

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return ctx.slope * dy / (1 + x.abs()) ** 2, None


class Halved(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x / 2

    @staticmethod
    def backward(ctx, dy):
        return dy / 3
"""
LIST = """
input = ["x=float64[n]"]

[pair.softsign]
tf = "old.py:softsign"
torch = "new.py:SoftSign"
static = { slope = 1.5 }
reference = "tf"

[pair.halved]
tf = "old.py:halved"
torch = "new.py:Halved"
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, text in {"old.py": OLD, "new.py": NEW, "pairs.toml": LIST}.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_which_side_is_ported_from(folder):
    softsign, halved = listed_pairs(folder / "pairs.toml")
    old = ported_from(softsign)
    assert (old.tf, old.torch, old.name, old.reference, old.statics) == (
        "old.py:softsign", None, "softsign", None, {"slope": 1.5},
    )  # fmt: skip
    assert ported_from(halved, "torch").torch == "new.py:Halved"
    assert ported_from(old).tf == old.tf
    with pytest.raises(PairError, match="halved: which side is ported from"):
        ported_from(halved)
    with pytest.raises(PairError, match="softsign: --reference torch, and the pair itself says reference = tf"):
        ported_from(softsign, "torch")
    with pytest.raises(PairError, match="softsign: has no torch side that could be recorded; it has tf"):
        ported_from(old, "torch")


@pytest.mark.slow
def test_a_list_is_recorded_and_checked_against_that(folder, warm):
    words = ["pairs.toml", "--reference", "tf", "--dtype", "float64", "-k", "vjp", "-o", "old.npz", "-q"]
    assert warm.run("porting", "record", *words, cwd=folder).returncode == 0
    softsign, _ = (ported_to(pair, "old.npz") for pair in listed_pairs(folder / "pairs.toml"))
    assert (softsign.torch, softsign.tf) == ("new.py:SoftSign", None)
    assert softsign.statics == {"slope": 1.5}
    (folder / "old.py").unlink()  # all is in the recording
    (folder / "old.py").write_text("def softsign(): ...\ndef halved(): ...\n")
    done = warm.run("porting", "check", "pairs.toml", "--against", "old.npz", "-k", "vjp", "-q", cwd=folder)
    assert done.returncode == 1
    assert "halved" in done.stdout
    assert "softsign " not in done.stdout


def test_a_list_is_translated(folder, capsys):
    assert main(["translate", "pairs.toml", "--to", "torch", "--no-check", "-o", "out"]) == 0
    assert (folder / "out" / "old.py").read_text().count("torch.autograd.Function") == 2
    assert "2 of 2 gradients translated" in capsys.readouterr().out
    (folder / "pairs.toml").write_text(LIST.replace("old.py:halved", "old.py:doubled").replace("torch = ", "# "))
    assert main(["translate", "pairs.toml", "--to", "torch", "--no-check"]) == 1
    said = capsys.readouterr().out
    assert "[pair.halved]: old.py: nothing in it is called doubled" in said
    assert "1 of 1 gradient translated" in said


def test_a_list_may_name_modules_which_are_not_imported(folder, capsys):
    package = folder / "legacy"
    package.mkdir()
    (package / "__init__.py").write_text("raise RuntimeError('imported')")
    (package / "old.py").write_text(OLD)
    (folder / "pairs.toml").write_text('[pair.a]\ntf = "legacy.old:halved"\n[pair.b]\ntf = "legacy.gone:halved"\n')
    assert main(["translate", "pairs.toml", "--to", "torch", "--no-check", "-o", "out"]) == 1
    assert "class HalvedFunction(torch.autograd.Function)" in (folder / "out" / "legacy" / "old.py").read_text()
    said = capsys.readouterr().out
    assert "[pair.b]: legacy.gone: there is no file of Python of that module" in said


@pytest.mark.slow
def test_it_is_proven_with_what_the_list_says(folder, warm):
    done = warm.run("porting", "translate", "pairs.toml", "--to", "torch", "--dtype", "float64", "-q", cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 proven" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["record", "pairs.toml", "-o", "a.npz"], "halved: which side is ported from"),
        (["record", "swish", "--reference", "tf", "-o", "a.npz"], "--reference tf: which pairs?"),
        (["check", "pairs.toml", "--against", "none.npz"], "none.npz: there is no such file"),
        (["translate", "pairs.toml", "--to", "torch", "--input", "x=float64[3]"], "stands in the file"),
        (["translate", "none.toml", "--to", "torch"], "none.toml: cannot be read"),
    ],
)
def test_one_line_and_exit_2_for_a_list(folder, capsys, words, said):
    assert main(words) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line
    assert not (folder / "a.npz").exists()
