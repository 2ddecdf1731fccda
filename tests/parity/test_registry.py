"""Ops are found by themselves: in the oracle tree, and in other packages through entry points."""

import os
import subprocess
import sys

import pytest

from porting.registry import RegistryError, families, ops, select

OP = """
from porting import op
@op
def {name}(x):
    return x * x
@{name}.defvjp
def {name}_vjp(dy, y, x):
    return 2 * x * dy
"""


@pytest.fixture
def installed(tmp_path):
    """Run the command where a package `theirs` is installed, with the given module text and entry point."""

    def run(source, entry, *words):
        (tmp_path / "theirs.py").write_text(source)
        info = tmp_path / "theirs-1.0.dist-info"
        info.mkdir(exist_ok=True)
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[porting.ops]\n{entry}\n")
        env = {**os.environ, "PYTHONPATH": str(tmp_path)}
        command = [sys.executable, "-m", "porting", *words]
        return subprocess.run(command, env=env, capture_output=True, text=True, check=False)

    return run


@pytest.mark.parametrize("entry", ["mine = theirs", "mine = theirs:their_square"])
def test_ops_of_other_packages_are_found_and_checked(installed, entry):
    listed = installed(OP.format(name="their_square"), entry, "list")
    assert "theirs\ttheir_square\tx\texact\tlinear\torder 2" in listed.stdout.splitlines()
    checked = installed(OP.format(name="their_square"), entry, "check", "their_square", "--runner", "oracle")
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.parametrize(
    ("source", "entry", "said"),
    [
        ("import nowhere_to_be_found", "mine = theirs", "does not load: ModuleNotFoundError"),
        ("x = 1", "mine = theirs", "neither an op nor a module with ops in it"),
        ("x = 1", "mine = theirs:x", "neither an op nor a module with ops in it"),
        (OP.format(name="sin_squared"), "mine = theirs", "two ops are called 'sin_squared'"),
        ("from porting import op\n@op\ndef f(*x): pass", "mine = theirs", "does not load: SpecError"),
    ],
)
def test_bad_entry_points_are_named(installed, source, entry, said):
    run = installed(source, entry, "list")
    assert run.returncode == 2
    (line,) = run.stderr.strip().splitlines()
    assert said in line
    assert "theirs" in line


def test_selection():
    assert [op.name for op in select(["sin_squared"])] == ["sin_squared"]
    assert select(["loss"]) == families()["loss"]
    assert select([]) == list(ops().values())
    assert select(["published", "custom_exp"]) == families()["published"]
    with pytest.raises(RegistryError, match="did you mean sin_squared"):
        select(["sin_squard"])
