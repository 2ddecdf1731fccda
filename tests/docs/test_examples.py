"""Every example of the README and of the docs runs, and prints what it says it prints.

``python`` blocks of a page run in order in one namespace, ``pycon`` blocks in the same one as doctests, ``console``
blocks as commands in an empty folder. ``...`` stands for any text. A block under an HTML comment is source that is
shown, not run.
"""

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"(?<!-->\n)^```(python|pycon|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
SET_UP = ("python3 -m venv", ".venv/bin/")  # .ci/run runs these


def blocks(page, *kinds):
    text = page.read_text()
    found = [(m[1], text[: m.start()].count("\n") + 1, m[2]) for m in BLOCK.finditer(text)]
    return [block for block in found if block[0] in kinds]


def commands(page):
    """Yield (line, command, expected output)."""
    for _, line, body in blocks(page, "console"):
        for part in re.split(r"(?m)^\$ ", body)[1:]:
            command, _, output = part.partition("\n")
            yield line, command, output


def named(pages):
    return [pytest.param(page, id=str(page.relative_to(ROOT))) for page in pages]


@pytest.mark.parametrize("page", named(p for p in PAGES if blocks(p, "python", "pycon")))
def test_python(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    namespace = {"__name__": "example"}
    for kind, line, body in blocks(page, "python", "pycon"):
        if kind == "python":
            exec(compile("\n" * line + body, str(page), "exec"), namespace)  # noqa: S102 - our own pages
            continue
        example = doctest.DocTestParser().get_doctest(body, namespace, page.name, str(page), line)
        said = []
        failed = doctest.DocTestRunner(optionflags=FLAGS).run(example, out=said.append, clear_globs=False).failed
        namespace.update(example.globs)
        assert not failed, "".join(said)


RUN = [
    pytest.param(page, line, command, output, id=f"{page.relative_to(ROOT)}:{line}")
    for page in PAGES
    for line, command, output in commands(page)
    if not command.startswith(SET_UP)
]


@pytest.mark.slow
@pytest.mark.parametrize(("page", "line", "command", "output"), RUN)
def test_console(page, line, command, output, tmp_path):
    words = shlex.split(command)
    assert words[0] == "porting", f"{page}:{line}: only porting commands are shown, got {command}"
    run = subprocess.run([sys.executable, "-m", *words], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert doctest.OutputChecker().check_output(output, run.stdout + run.stderr, FLAGS), run.stdout + run.stderr
