"""A path or a name that leads nowhere is told before any framework is imported, and before a worker is started."""

import json
import subprocess
import sys

import pytest

GOOD = ["--torch", "good.py:f"]
# Commands, and a word of what is said.
COMMANDS = [
    (["chek"], "did you mean check?"),
    (["check", "sin_sqared"], "sin_squared"),
    (["check", "--torch", "goood.py:f"], "goood.py: there is no such file"),
    (["check", "--torch", "good.py:soft_sing"], "did you mean soft_sign?"),
    (["check", "--torch", "no_such_module_at_all:f"], "there is no module"),
    (["check", *GOOD, "--tf", "goood.py:f"], "goood.py: there is no such file"),
    (["check", *GOOD, "--oracle", "goood.py:f"], "goood.py: there is no such file"),
    (["check", *GOOD, "--like", "tf:goood.py:f"], "goood.py: there is no such file"),
    (["check", *GOOD, "--surrogate-of", "goood.py:f"], "goood.py: there is no such file"),
    (["check", *GOOD, "--input", "x=@goood.py:f[3]"], "goood.py: there is no such file"),
    (["check", *GOOD, "--against", "goood.npz"], "goood.npz: there is no such file"),
    (["check", *GOOD, "--known", "goood.toml"], "goood.toml"),
    (["check", "goood.toml"], "goood.toml"),
    (["check", *GOOD, "--json", "no/folder/file"], "does not exist"),
    (["check", *GOOD, "--known", "goood.toml", "--seeds", "0:2"], "goood.toml"),
    (["survive", "--torch", "goood.py:f"], "goood.py: there is no such file"),
    (["survive", *GOOD, "--known", "goood.toml"], "goood.toml"),
    (["bench", "--torch", "goood.py:f"], "goood.py: there is no such file"),
    (["record", "--torch", "goood.py:f", "-o", "file.npz"], "goood.py: there is no such file"),
    (["translate", "goood.py", "--to", "tf"], "goood.py"),
    (["translate", "good.py:soft_sing", "--to", "tf"], "soft_sing"),
    (["init", "no/folder"], "a folder is wanted"),
]
RUN = """
import contextlib, io, json, sys
from multiprocessing import forkserver
from porting.cli.main import main
said = []
for words in json.load(sys.stdin):
    err = io.StringIO()
    with contextlib.redirect_stderr(err):
        try:
            code = main(words)
        except SystemExit as left:
            code = left.code
    heavy = [name for name in ("torch", "tensorflow") if name in sys.modules]
    server = getattr(forkserver._forkserver, "_forkserver_pid", None)
    said.append([code, err.getvalue(), heavy + ["a worker"] * (server is not None)])
json.dump(said, sys.stdout)
"""


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """Return what is said to each command: all of them are given to one process, so nothing is loaded by any."""
    folder = tmp_path_factory.mktemp("misspelt")
    (folder / "good.py").write_text("import torch\n\ndef f(x):\n    return x\n\ndef soft_sign(x):\n    return x\n")
    run = subprocess.run(
        [sys.executable, "-c", RUN], input=json.dumps([words for words, _ in COMMANDS]), cwd=folder,
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return dict(zip([" ".join(words) for words, _ in COMMANDS], json.loads(run.stdout), strict=True))


@pytest.mark.parametrize(("words", "word"), COMMANDS, ids=[" ".join(words) for words, _ in COMMANDS])
def test_is_told_at_once(answers, words, word):
    code, said, loaded = answers[" ".join(words)]
    assert (code, loaded) == (2, [])
    assert word in said
    assert said.count("\n") == 1
