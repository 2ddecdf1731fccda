"""What other interpreters run: one text that Python 3.7 parses, of modules that need nothing that is not sent along."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from porting.runners.bundle import MODULES, bundle

ROOT = Path(__file__).parents[2] / "porting"
ALLOWED = {"numpy", "torch", "tensorflow", "ml_dtypes"}
TEXTS = {module: (ROOT / f"{module.replace('.', '/')}.py").read_text() for module in (*MODULES, "runners.hello")}


@pytest.mark.parametrize("module", TEXTS)
def test_python_37_parses_it(module):
    ast.parse(TEXTS[module], feature_version=(3, 7))


def test_python_37_parses_the_whole():
    ast.parse(bundle(), feature_version=(3, 7))


@pytest.mark.parametrize("module", TEXTS)
def test_it_uses_what_python_37_has(module):
    """The names of the standard library too, as a tool knows since when they are there."""
    import vermin

    since = vermin.detect(TEXTS[module], config=vermin.Config())[1]
    assert since is None or since <= (3, 7)


@pytest.mark.parametrize("module", TEXTS)
def test_it_imports_what_is_sent_along(module):
    """What is for the type checker alone may come from anywhere."""

    def imported(node):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            return
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module
        for child in ast.iter_child_nodes(node):
            yield from imported(child)

    for name in imported(ast.parse(TEXTS[module])):
        inside = name.removeprefix("porting.")
        assert (
            inside in MODULES if name.startswith("porting") else name.split(".")[0] in ALLOWED | sys.stdlib_module_names
        )


def test_it_serves_without_gradport(tmp_path):
    """In an empty folder, from one file, nothing of this project can be imported; a request is answered."""
    pytest.importorskip("torch")
    (tmp_path / "worker.py").write_text(bundle())
    code = f"""
import io, subprocess, sys
from porting.runners.wire import receive, send
worker = subprocess.Popen([sys.executable, "-I", "worker.py", "torch"], cwd={str(tmp_path)!r},
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE)
print(worker.stdout.readline(), worker.stdout.readline())
send(worker.stdin, ("hello",))
kind, known = receive(worker.stdout)
print(kind, sorted(known))
worker.stdin.close()
print(worker.wait(30))
worker.stdout.close()
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "gradport python 3." in run.stdout
    assert "gradport numpy" in run.stdout
    assert "ok ['devices', 'layouts', 'modes', 'uses', 'version']" in run.stdout
    assert run.stdout.splitlines()[-1] == "0"
