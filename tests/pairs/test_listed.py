"""A repository's own list of pairs is one file: for the command, and for pytest."""

import pytest

from porting.cli.main import main
from porting.errors import PairError
from porting.pairs.listed import listed_pairs

pytest.importorskip("torch")

SIDES = """
import torch


class Doubled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, by=2.0):
        ctx.by = by
        return by * x

    @staticmethod
    def backward(ctx, dy):
        return ctx.by * dy, None


class Tripled(Doubled):
    @staticmethod
    def backward(ctx, dy):
        return 3.0 * dy, None


def doubled(x, by=2.0):
    return x * by
"""
LIST = """
like = "sides.py:doubled"
input = ["x=float64[...]"]

[pair.right]
torch = "sides.py:Doubled"
static = { by = 1.5 }

[pair.wrong]
torch = "sides.py:Tripled"
static = ["by=2.0"]
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "ours").mkdir()
    (tmp_path / "ours" / "sides.py").write_text(SIDES)
    (tmp_path / "ours" / "pairs.toml").write_text(LIST)
    return tmp_path


def test_paths_are_relative_to_the_file(folder, monkeypatch):
    monkeypatch.chdir(folder)
    right, wrong = listed_pairs(folder / "ours" / "pairs.toml")
    assert (right.name, right.torch, right.like) == ("right", "ours/sides.py:Doubled", "ours/sides.py:doubled")
    assert (dict(right.statics), dict(wrong.statics)) == ({"by": 1.5}, {"by": 2.0})
    assert right.command == (
        "--torch ours/sides.py:Doubled --like ours/sides.py:doubled --input 'x=float64[...]' --static by=1.5"
    )


@pytest.mark.slow
def test_the_command_checks_each(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    assert main(["check", "ours/pairs.toml", "-k", "vjp", "--dtype", "float64"]) == 1
    out = capsys.readouterr().out
    assert "2 ops" in out
    assert "wrong  torch cpu float64 · gradient of x differs from doubled in float64" in out
    assert "right  torch" not in out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "[pair.NAME]"),
        ("[pair.a]\ntorch = 3", "[pair.a]: torch = 3: text is wanted"),
        ("[pair.a]\ntroch = 'a.py:f'", "no option is called 'troch'; did you mean torch?"),
        ("[pair.a]\ninput = 'x'\ntorch = 'sides.py:doubled'", "a list of text"),
        ("[pair.a]\ntorch = 'sides.py:duobled'", "did you mean doubled or Doubled?"),
        ("[pair.a]\nlike = 'sides.py:doubled'", "without a side"),
        ("pair = 3", "[pair.NAME]"),
        ("[pair.a", "is no TOML"),
    ],
)
def test_what_cannot_be_meant_is_told(folder, text, said):
    path = folder / "ours" / "pairs.toml"
    path.write_text(text)
    with pytest.raises(PairError) as raised:
        listed_pairs(path)
    assert said in str(raised.value)
    assert str(path) in str(raised.value)


def test_a_file_that_is_not_there_is_told(folder, capsys):
    assert main(["check", str(folder / "none.toml")]) == 2
    assert "none.toml: cannot be read: No such file or directory" in capsys.readouterr().err
    assert main(["check", str(folder / "none.toml"), "swish"]) == 2
    assert "files of pairs of your own, not both" in capsys.readouterr().err
