"""The notebooks run from top to bottom, and hold what they say."""

import re
import sys
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[2] / "docs" / "notebooks").glob("*.py"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path, tmp_path, monkeypatch):
    pytest.importorskip("torch")
    pytest.importorskip("tensorflow")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # a file that a cell writes again is read again
    before = set(sys.modules)
    try:
        exec(compile(path.read_text(), str(path), "exec"), {"__name__": "notebook"})  # noqa: S102 - our own
    finally:
        for name in set(sys.modules) - before:
            if Path(getattr(sys.modules[name], "__file__", None) or "/").is_relative_to(tmp_path):
                del sys.modules[name]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_cells_are_marked_and_links_lead_somewhere(path):
    text = path.read_text()
    assert text.startswith("# ---\n# jupyter:")
    assert len(re.findall(r"(?m)^# %% \[markdown\]$", text)) >= 4
    assert len(re.findall(r"(?m)^# %%$", text)) >= 4
    assert all((path.parent / target).exists() for target in re.findall(r"\]\(([^)]+)\)", text))


def test_there_are_notebooks():
    assert [path.stem for path in NOTEBOOKS] == ["port_your_first_op", "prove_a_package"]
