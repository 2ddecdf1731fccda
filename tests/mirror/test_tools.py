"""The code is typed, linted and formatted, as the configuration says."""

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml  # libcst needs it too

ROOT = Path(__file__).parents[2]
CLEAN = ("ruff check", "ruff format --check", "mypy")
HOOKS = [
    hook
    for repository in yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    for hook in repository["hooks"]
]


def test_the_readmes_second_command_begins_with_them():
    """A fault of style or types ends a run in its first minute, before any test."""
    first = " && ".join(f".venv/bin/{command} ." if command != "mypy" else ".venv/bin/mypy" for command in CLEAN)
    for file in ("README.md", ".ci/run"):
        line = next(line for line in (ROOT / file).read_text().splitlines() if line.endswith("--dist worksteal"))
        assert line.removeprefix("$ ").startswith(f"{first} && .venv/bin/pytest ")


def test_the_hooks_are_the_same_commands_and_fetch_nothing():
    text = (ROOT / ".pre-commit-config.yaml").read_text()
    assert {repository["repo"] for repository in yaml.safe_load(text)["repos"]} == {"local"}
    assert "://" not in text
    assert [hook["entry"].replace(" --force-exclude", "") for hook in HOOKS] == list(CLEAN)
    assert all(hook["language"] == "system" for hook in HOOKS)


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_the_command_of_a_hook_is_in_the_dev_extra(hook):
    dev = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]["dev"]
    command = shlex.split(hook["entry"])[0]
    assert command in {re.match(r"[\w-]+", requirement)[0] for requirement in dev}
    run = subprocess.run([sys.executable, "-m", command, "--version"], capture_output=True, check=False)
    assert run.returncode == 0, run.stderr
