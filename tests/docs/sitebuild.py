"""Builds the site from a folder that has what a clean checkout has."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
THE_EXTRA = ("sphinx", "furo", "myst_parser", "sphinx_design", "sphinx_copybutton")
MISSING = [name for name in THE_EXTRA if find_spec(name) is None]


def sphinx(docs, out, *options):
    """Build in a process of its own, in which no framework can be imported."""
    blocked = "import sys; sys.modules.update(torch=None, tensorflow=None, keras=None)"
    code = f"{blocked}; from sphinx.cmd.build import main; sys.exit(main(sys.argv[1:]))"
    words = ["-W", "-q", "-b", "html", "-d", out.with_name("doctrees"), *options, docs, out]
    command = [sys.executable, "-c", code, *map(str, words)]
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, capture_output=True, text=True, env=env, check=False)


def checkout(folder):
    """Make a folder that has what a clean checkout has, and return where its docs belong."""
    folder.mkdir()
    for name in ("porting", "torch_impl", "tf_impl", "tests", "README.md", "LICENSE"):
        (folder / name).symlink_to(ROOT / name)
    return folder / "docs"
