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


@pytest.mark.parametrize("is_package", [True, False])
def test_the_file_that_is_named_is_the_one_that_runs(is_package, tmp_path, monkeypatch):
    """Two folders have a package of one name, and so has the current one: an old version beside a new one."""
    files = {}
    for n, place in enumerate((tmp_path / "old", tmp_path / "new", tmp_path)):
        package = place / f"twice_{is_package}"
        package.mkdir(parents=True)
        if is_package:
            (package / "__init__.py").write_text("", encoding="utf-8")
        (package / "constants.py").write_text(f"SCALE = {n}\n", encoding="utf-8")
        files[package / "scaled.py"] = n
        (package / "scaled.py").write_text("from . import constants\n\n\ndef f(x):\n    return constants.SCALE * x\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    for file, n in [*files.items(), *files.items()]:
        assert load(f"{file}:f", "--torch")(2.0) == 2.0 * n
        assert load(f"{file}:f", "--torch") is load(f"{file}:f", "--tf")


def test_a_second_package_of_one_name_that_does_not_import_is_told(tmp_path):
    for place, init in (("right", ""), ("wrong", "import nothing_of_that_name\n")):
        package = tmp_path / place / "of_one_name"
        package.mkdir(parents=True)
        (package / "__init__.py").write_text(init, encoding="utf-8")
        (package / "beside.py").write_text("K = 3\n", encoding="utf-8")
        (package / "scaled.py").write_text("from .beside import K\n\n\ndef f(x):\n    return K * x\n", encoding="utf-8")
    target = "of_one_name/scaled.py:f"
    assert load(f"{tmp_path}/right/{target}", "--torch")(2.0) == 6.0
    for _ in range(2):
        with pytest.raises(LoadError, match="nothing_of_that_name"):
            load(f"{tmp_path}/wrong/{target}", "--tf")
    assert "of_one_name_" not in sys.modules


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
