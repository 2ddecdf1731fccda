"""Runs that are saved and compared, from the command line."""

import json
import os

import pytest


@pytest.fixture
def porting(tmp_path, warm):
    """Run the command in an empty folder."""
    return lambda *words: warm.run("porting", *words, cwd=tmp_path, env={**os.environ, "COLUMNS": "200"})


CHECK = ("check", "sin_squared", "--runner", "oracle", "--dtype", "float64", "-q")


def test_a_run_is_saved_and_nothing_has_changed_since(porting, tmp_path):
    first = porting(*CHECK, "--save", "base")
    assert first.returncode == 0, first.stderr
    assert first.stdout.splitlines()[-1] == "saved as .porting/check/base-0001.json"
    second = porting(*CHECK, "--compare", "base", "--save", "base")
    assert second.returncode == 0, second.stderr
    assert "Since base-0001 of 20" in second.stdout
    assert "nothing has changed in" in second.stdout
    assert [file.name for file in sorted((tmp_path / ".porting/check").iterdir())] == [
        "base-0001.json", "base-0002.json",
    ]  # fmt: skip


def test_what_changed_is_told(porting, tmp_path):
    pytest.importorskip("torch")
    (tmp_path / "a.py").write_text("import torch\n\n\ndef f(x):\n    return torch.sin(x)\n")
    (tmp_path / "b.py").write_text("import torch\n\n\ndef f(x):\n    return torch.sin(x)\n")
    words = ("check", "--torch", "a.py:f", "--like", "b.py:f", "--dtype", "float64", "-q", "-k", "vjp")
    assert porting(*words, "--save", "base", "--storage", "kept").returncode == 0
    (tmp_path / "a.py").write_text("import torch\n\n\ndef f(x):\n    return 1.5 * torch.sin(x)\n")
    run = porting(*words, "--compare", "base", "--storage", "kept")
    assert run.returncode == 1
    assert "  new: f  torch cpu float64 · vjp: " in run.stdout
    assert "1 new, 0 gone" in run.stdout or "2 new, 0 gone" in run.stdout


@pytest.mark.slow
def test_a_measurement_is_saved_and_compared(porting):
    pytest.importorskip("torch")
    words = ("bench", "sin_squared", "--size", "256", "--rounds", "5", "--mode", "torch-eager", "--no-memory", "-q")
    assert porting(*words, "--save", "base").returncode == 0
    run = porting(*words, "--compare", "base")
    assert run.returncode == 0, run.stderr
    assert "ratios have changed by more than their quartiles" in run.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--compare", "base"], ["no such run in .porting/check", "nothing is saved there; --save base saves a run"]),
        (["--compare", "../base"], ["a name of letters", "--compare base"]),
        (["--save", ".."], ["a name of letters"]),
        (["--save", "base", "--storage", "file"], ["--storage file", "cannot be made"]),
        (["--compare", "damaged", "--storage", "store"], ["store/check/damaged-0001.json is no saved run"]),
        (["--compare", "other", "--storage", "store"], ["other-0001 of today", "not a porting report"]),
        (["--compare", "thing", "--storage", "store"], ["there are damaged, other"]),
    ],
)
def test_bad_input_is_one_line(porting, tmp_path, words, said):
    (tmp_path / "file").write_text("mine")
    (tmp_path / "store/check").mkdir(parents=True)
    (tmp_path / "store/check/damaged-0001.json").write_text('{"saved": "today", "rep')
    (tmp_path / "store/check/other-0001.json").write_text(json.dumps({"saved": "today", "report": {"rows": []}}))
    run = porting(*CHECK, *words)
    assert run.returncode == 2, run.stdout + run.stderr
    (line,) = run.stderr.strip().splitlines()
    assert line.startswith("porting: ")
    assert all(word in line for word in said), line
    assert (tmp_path / "file").read_text() == "mine"
