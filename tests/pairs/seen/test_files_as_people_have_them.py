"""A script that reads its arguments gets none of ours, a file that imports its neighbours is a part of its package.

Seen in code of public repositories.
"""

import sys

import pytest

from porting.loading import LoadError, load

_SCRIPT = """\
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--rate", type=float, default=0.5)
args = parser.parse_args()


def scaled(x):
    return args.rate * x
"""


def test_it_has_its_defaults(tmp_path, monkeypatch):
    file = tmp_path / "script_with_arguments.py"
    file.write_text(_SCRIPT, encoding="utf-8")
    ours = ["porting", "check", "--torch", str(file)]
    monkeypatch.setattr(sys, "argv", ours)
    assert load(f"{file}:scaled", "--torch")(2.0) == 1.0
    assert sys.argv is ours


@pytest.mark.parametrize("level", [".", "..", "..deeper."])
def test_a_file_of_a_package_finds_its_neighbours(level, tmp_path):
    package = tmp_path / f"of_level_{len(level)}"
    inner = package / "deeper"
    inner.mkdir(parents=True)
    for folder in (package, inner):
        (folder / "__init__.py").write_text("", encoding="utf-8")
        (folder / "beside.py").write_text("def halved(x):\n    return x / 2\n", encoding="utf-8")
    file = inner / "gradients.py"
    file.write_text(f"from {level}beside import halved\n".replace("..deeper..", "..deeper."), encoding="utf-8")
    assert load(f"{file}:halved", "--torch")(2.0) == 1.0


def test_a_neighbour_that_is_not_there_is_told(tmp_path):
    folder = tmp_path / "without_neighbours"
    folder.mkdir()
    file = folder / "alone.py"
    file.write_text("from .nobody import nothing\n", encoding="utf-8")
    with pytest.raises(LoadError, match="nobody"):
        load(f"{file}:nothing", "--torch")


@pytest.mark.parametrize("place", ["", "deeper/still"], ids=["of its own folder", "two folders below"])
def test_a_file_finds_the_package_that_it_is_in(place, tmp_path, monkeypatch):
    """It is run from the root of its repository by its people: ``from package.beside import f``."""
    name = f"package_of_{len(place)}"
    package = tmp_path / name
    file = package / place / "gradients.py"
    file.parent.mkdir(parents=True)
    (package / "beside.py").write_text("def halved(x):\n    return x / 2\n", encoding="utf-8")
    file.write_text(f"from {name}.beside import halved\n", encoding="utf-8")
    monkeypatch.setattr(sys, "path", [*sys.path])
    assert load(f"{file}:halved", "--torch")(2.0) == 1.0


def test_a_package_that_is_not_there_is_told(tmp_path):
    file = tmp_path / "of_another_package.py"
    file.write_text("import package_of_nobody\n", encoding="utf-8")
    with pytest.raises(LoadError, match="No module named 'package_of_nobody'"):
        load(f"{file}:nothing", "--torch")
