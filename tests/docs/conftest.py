"""The site, built once for all processes of a run."""

import fcntl
import os
import shutil

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
