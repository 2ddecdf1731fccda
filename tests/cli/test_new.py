"""`porting new` writes the skeleton of an op that imports, says what is next, and agrees once it is filled in."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from porting.cli.main import main
from porting.registry import families

ROOT = Path(__file__).parents[2]
WANTED = ("porting/oracle", "torch_impl", "tf_impl", "docs/ops", "tests/oracle_truth", "pyproject.toml", "README.md")
MADE = (
    "porting/oracle/activation/square.py", "torch_impl/activation/square.py", "tf_impl/activation/square.py",
    "docs/ops/activation/square.md",
)  # fmt: skip
CHANGED = {
    "torch_impl/activation/__init__.py", "tf_impl/activation/__init__.py", "torch_impl/nn/__init__.py",
    "torch_impl/nn/activation.py", "tf_impl/layers/__init__.py", "tf_impl/layers/activation.py", "docs/ops/index.md",
    "tests/oracle_truth/families/activation.py", "README.md",
}  # fmt: skip
LAYERS = {file for file in CHANGED if "/nn/" in file or "/layers/" in file}
LONG = "relu_of_the_longest_name_in_the_tre"
FAMILY = "the_longest_families"
CHECK = ["-m", "porting", "check", "square", "--dtype", "float64", "-k", "vjp", "--runner"]


def copied(parts, root):
    for part in parts:
        (root / part).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / part).is_dir():
            ignored = shutil.ignore_patterns("__pycache__", "*.svg")
            shutil.copytree(ROOT / part, root / part, ignore=ignored, dirs_exist_ok=True)
        else:
            shutil.copy(ROOT / part, root / part)
    return root


@pytest.fixture
def tree(tmp_path):
    """Return a copy of what a checkout has of the ops."""
    return copied(WANTED, tmp_path / "checkout")


@pytest.fixture(scope="module")
def untouched(tmp_path_factory):
    """Return such a copy for the tests that change nothing."""
    return copied(WANTED, tmp_path_factory.mktemp("untouched") / "checkout")


@pytest.fixture
def whole(tree):
    """Return the same, with the package: `porting` runs from there."""
    return copied(["porting"], tree)


def contents(root):
    """Return every file and folder with what is in it."""
    return {str(p.relative_to(root)): p.read_bytes() if p.is_file() else None for p in root.rglob("*")}


def python(root, *words):
    environment = {**os.environ, "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, "-P", *words], capture_output=True, text=True, cwd=root, env=environment, check=False
    )


def fill(root, file, *bodies):
    """Put a body in the place of each sentence that the skeleton raises, in their order."""
    text = (root / file).read_text()
    for body in bodies:
        text, found = re.subn(r"raise NotImplementedError\(\s*\"[^\"]*\"\s*\)", body, text, count=1)
        assert found, file
    assert "NotImplementedError" not in text
    (root / file).write_text(text)


def test_each_file_is_written_and_said(tree, capsys):
    before = contents(tree)
    assert main(["new", "activation", "square", "--root", str(tree)]) == 0
    after = contents(tree)
    assert {name for name, content in after.items() if before.get(name, b"") != content} == {*MADE, *CHANGED}
    named = {*MADE, *CHANGED} - {"README.md"}  # which counts them only, see below
    assert all("square" in after[name].decode().lower() for name in named)
    out = capsys.readouterr().out
    assert set(re.findall(r"(?m)^written (.*)$", out)) == {str(tree / name) for name in MADE}
    assert set(re.findall(r"(?m)^changed (.*)$", out)) == {str(tree / name) for name in CHANGED}
    steps = re.findall(r"(?m)^ *(\d+)\. (.*)\n    (\w.*)$", out)
    assert [int(number) for number, _, _ in steps] == list(range(1, len(steps) + 1))
    assert [next((n for n, what, _ in steps if file in what), "") for file in MADE] == ["1", "2", "3", "7"]
    for file in {*CHANGED} - {name for name in CHANGED if name.endswith(("__init__.py", "README.md"))}:
        assert any(file in what for _, what, _ in steps), file
    number, raised = (int(re.search(r"\[(\d+) paired ops", said["README.md"].decode())[1]) for said in (before, after))
    assert raised == number + 1


def test_what_was_there_stays_in_its_order(tree):
    before = {name: (tree / name).read_text().splitlines() for name in CHANGED - {"README.md"}}
    assert main(["new", "activation", "square", "--root", str(tree)]) == 0
    for name, lines in before.items():
        after = iter((tree / name).read_text().splitlines())
        assert all(line in after for line in lines), f"{name}: a line is lost or moved"


def test_skeletons_are_formatted_and_their_imports_are_in_order(tree):
    for family, name in (
        ("activation", "square"), ("activation", LONG), ("stable", "log2p_exp"), ("stable", "aaa"), ("index", "zzz"),
        ("loss", "hinge"), ("spiking", "step"), ("bound", "lower"), (FAMILY, LONG + "x"), ("nodes", "x3_2"),
    ):  # fmt: skip
        new = ["--new-family"] if family not in families() else []
        assert main(["new", family, name, "--root", str(tree), *new]) == 0
    for words in (["format", "--check"], ["check", "--select", "I,E9,F811,F821"]):
        run = python(tree, "-m", "ruff", *words, "--no-cache", ".")
        assert run.returncode == 0, run.stdout + run.stderr


def test_a_family_of_functions_gets_no_layer(tree):
    before = contents(tree)
    assert main(["new", "loss", "hinge", "--root", str(tree)]) == 0
    after = contents(tree)
    assert all(after[name] == before[name] for name in after if "/nn/" in name or "/layers/" in name)


@pytest.mark.slow
def test_the_next_step_is_named_by_a_check_of_the_oracle(whole):
    assert main(["new", "activation", "square", "--root", str(whole)]) == 0
    check = ["-m", "porting", "check", "square", "--runner", "oracle", "--dtype", "float64"]
    for what, body in (("formula", "return x**2"), ("gradient", "return 2 * x * dy")):
        run = python(whole, *check)
        assert run.returncode == 2, run.stdout + run.stderr
        assert run.stderr == f"porting: write the {what} of square in {MADE[0]}\n"
        text = (whole / MADE[0]).read_text()
        (whole / MADE[0]).write_text(text.replace(f'raise NotImplementedError("{run.stderr[9:-1]}")', body))
    run = python(whole, *check)
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.slow
def test_a_filled_skeleton_agrees_and_until_then_the_next_step_is_named(whole):
    pytest.importorskip("torch")
    pytest.importorskip("tensorflow")
    oracle, torch, tf = _made(whole, "activation")
    fill(whole, oracle, "return x**2", "return 2 * x * dy")
    run = python(whole, *CHECK, "torch")
    assert run.returncode == 1, run.stdout + run.stderr
    assert f"write the forward of square in {torch}" in run.stdout
    fill(whole, torch, "return x * x", "return 2 * x * dy")
    run = python(whole, *CHECK, "torch", "--runner", "tf")
    assert run.returncode == 1, run.stdout + run.stderr
    assert "1 differ" in run.stdout
    assert f"write the value of square in {tf}" in run.stdout
    fill(whole, tf, "return 2 * x * dy", "return v * v, vjp")
    run = python(whole, *CHECK, "torch", "--runner", "tf")
    assert run.returncode == 0, run.stdout + run.stderr
    assert "0 differ" in run.stdout


@pytest.mark.slow
def test_the_first_of_a_new_family_agrees(whole):
    pytest.importorskip("torch")
    pytest.importorskip("tensorflow")
    oracle, torch, tf = _made(whole, "powers", "--new-family")
    fill(whole, oracle, "return x**2", "return 2 * x * dy")
    fill(whole, torch, "return x * x", "return 2 * x * dy")
    fill(whole, tf, "return 2 * x * dy", "return v * v, vjp")
    run = python(whole, *CHECK, "torch", "--runner", "tf")
    assert run.returncode == 0, run.stdout + run.stderr
    assert "0 differ" in run.stdout


def _made(whole, family, *new):
    """Make an op, import all that it is, and return its three files."""
    assert main(["new", family, "square", "--root", str(whole), *new]) == 0
    modules = [f"{package}.{family}.square" for package in ("porting.oracle", "torch_impl", "tf_impl")]
    layers = ["torch_impl.nn", "tf_impl.layers"]
    run = python(whole, "-c", f"import {', '.join([*modules, *layers])}; torch_impl.nn.Square, tf_impl.layers.Square")
    assert run.returncode == 0, run.stderr
    return (f"{tree}/{family}/square.py" for tree in ("porting/oracle", "torch_impl", "tf_impl"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["activation", "swish"], "that is porting/oracle/activation/swish.py"),
        (["loss", "swish"], "that is porting/oracle/activation/swish.py"),
        (["activation", "loss"], "that is a family"),
        (["activation", "simplex"], "that is porting/oracle/simplex.py"),
        (["activation", "x-y"], "a Python identifier is wanted"),
        (["activation", "2x"], "a Python identifier is wanted"),
        (["activation", "lambda"], "a Python identifier is wanted"),
        (["activation", "../x"], "a Python identifier is wanted"),
        (["activation", ""], "a Python identifier is wanted"),
        (["activation", "LogCosh"], "lower-case words"),
        (["activation", "_x"], "lower-case words"),
        (["activation", "x__y"], "lower-case words"),
        (["activation", "größe"], "lower-case words"),
        (["activation", LONG + "es"], "longer than 36 letters"),
        ([FAMILY + "s", "square", "--new-family"], "longer than 20 letters"),
        (["activation", "round"], "has that name for something else"),
        (["activation", "math"], "has that name for something else"),
        (["activation", "torch"], "has that name for something else"),
        (["activaton", "square"], "there is no family 'activaton': activation, or --new-family"),
        (["../activation", "square"], "no family can be called '../activation'"),
        (["nn", "square", "--new-family"], "has that name for something else"),
        (["activation", "square", "--new-family"], "leave out --new-family"),
        (["square", "square", "--new-family"], "that is a family"),
        (["swish", "square", "--new-family"], "that is porting/oracle/activation/swish.py"),
        (["simplex", "square", "--new-family"], "that is porting/oracle/simplex.py"),
        (["repaired", "square", "--new-family"], "tests/oracle_truth/families/repaired.py is there already"),
    ],
)
def test_bad_input_is_one_line_and_nothing_is_written(untouched, capsys, words, said):
    before = contents(untouched)
    assert main(["new", *words, "--root", str(untouched)]) == 2
    err = capsys.readouterr().err
    assert err.startswith("porting: ")
    assert said in err
    assert err.count("\n") == 1
    assert contents(untouched) == before


def test_a_folder_that_is_no_checkout_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["new", "activation", "square"]) == 2
    assert "is no checkout of gradport" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_the_current_folder_is_the_checkout(tree, monkeypatch):
    monkeypatch.chdir(tree)
    assert main(["new", "activation", "square"]) == 0
    assert all((tree / name).is_file() for name in MADE)


@pytest.mark.parametrize("name", MADE)
def test_a_file_that_is_there_is_not_lost(tree, capsys, name):
    (tree / name).write_text("mine")
    before = contents(tree)
    assert main(["new", "activation", "square", "--root", str(tree)]) == 2
    assert name in capsys.readouterr().err
    assert contents(tree) == before


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("docs/ops/index.md", "# The ops\n"),
        ("tests/oracle_truth/families/activation.py", "WITNESS = {}\n"),
        ("torch_impl/activation/__init__.py", "def f(:\n"),
        ("tf_impl/layers/__init__.py", ""),
        ("torch_impl/nn/__init__.py", None),
    ],
)
def test_a_file_of_another_form_is_named(tree, capsys, name, text):
    (tree / name).unlink()
    if text is not None:
        (tree / name).write_text(text)
    before = contents(tree)
    assert main(["new", "activation", "square", "--root", str(tree)]) == 2
    assert name in capsys.readouterr().err
    assert contents(tree) == before


@pytest.mark.parametrize(("family", "new"), [("activation", []), ("powers", ["--new-family"])])
def test_all_or_nothing_is_written(tree, capsys, monkeypatch, family, new):
    before = contents(tree)
    replace, count = Path.replace, 0
    while True:
        left = count

        def fails_once(path, target):
            nonlocal left
            left -= 1
            if left < 0:
                raise OSError(28, "No space left on device", str(target))
            return replace(path, target)

        with monkeypatch.context() as patch:
            patch.setattr(Path, "replace", fails_once)
            code = main(["new", family, "square", "--root", str(tree), *new])
        if code == 0:
            break
        assert code == 2
        assert "No space left on device" in capsys.readouterr().err
        assert contents(tree) == before
        count += 1
    # A new family has an __init__ of its oracles too, and is named in that of each tree.
    assert count == len(MADE) + len(CHANGED) + (3 if new else 0)
