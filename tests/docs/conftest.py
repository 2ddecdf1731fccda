"""The site, built once for all processes of a run; a folder in which the files of a page are written."""

import fcntl
import os
import shutil
import sys
from pathlib import Path

import pytest
from sitebuild import DOCS, MISSING, checkout, sphinx


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """Return the folder of the built site; the processes of a run share one build."""
    if MISSING:
        pytest.skip(f"the extra docs is not installed: {', '.join(MISSING)}")
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "site"
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            shutil.copytree(DOCS, checkout(folder), ignore=shutil.ignore_patterns("*.myst", "__pycache__"))
            run = sphinx(folder / "docs", folder / "out")
            (folder / "said").write_text(run.stdout + run.stderr + "failed" * (run.returncode != 0))
    assert not (folder / "said").read_text()
    return folder / "out"


@pytest.fixture
def forget_modules_of():
    """Return what makes Python forget the modules of a folder, whose files may be others next time."""

    def forget(folder):
        for name, module in list(sys.modules.items()):
            if Path(getattr(module, "__file__", None) or "/").is_relative_to(folder):
                del sys.modules[name]

    return forget


@pytest.fixture
def folder(tmp_path, monkeypatch, forget_modules_of):
    """Return an empty folder, in which the test is, and whose modules can be imported."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # a file that the page shows again is read again
    yield tmp_path
    forget_modules_of(tmp_path)
