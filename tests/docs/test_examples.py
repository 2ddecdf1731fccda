"""Every example of the README and of the docs runs, and prints what it says it prints.

Each page has a folder of its own, empty at first. Its blocks run in order: ``python`` blocks in one namespace,
``pycon`` blocks in the same one as doctests, ``console`` blocks as commands; ``...`` stands for any text. A block under
``<!-- file: NAME -->`` is not run but written to that file, and over it if the page shows the file again; the comment
``<!-- files of PAGE -->`` writes the files that another page ends with. A block under any other comment is source that
is shown, not run.
"""

import doctest
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FOUND = re.compile(
    r"^<!-- files of (?P<page>\S+) -->$|(?:^<!-- (?P<comment>[^\n]*) -->\n)?^```(?P<kind>\w+)\n(?P<body>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
SET_UP = ("python3 -m venv", ".venv/bin/")  # .ci/run runs these


@dataclass(frozen=True)
class Block:
    """A block of a page: python, pycon, console, or a file."""

    kind: str
    line: int
    body: str
    name: str = ""


def blocks(page):
    """Yield what is run or written, in the order of the page."""
    text = page.read_text()
    for found in FOUND.finditer(text):
        line = text[: found.end("kind") + 1].count("\n")
        name = re.fullmatch(r"file: (\S+)", found["comment"] or "")
        if found["page"]:
            yield from (block for block in blocks(ROOT / found["page"]) if block.kind == "file")
        elif name:
            yield Block("file", line, found["body"], name[1])
        elif not found["comment"] and found["kind"] in {"python", "pycon", "console"}:
            yield Block(found["kind"], line, found["body"])


def commands(block):
    """Yield (command, expected output)."""
    for part in re.split(r"(?m)^\$ ", block.body)[1:]:
        command, _, output = part.partition("\n")
        if not command.startswith(SET_UP):
            yield command, output


def pages_with(*kinds):
    found = [page for page in PAGES if any(block.kind in kinds for block in blocks(page))]
    return [pytest.param(page, id=str(page.relative_to(ROOT))) for page in found]


@pytest.mark.parametrize("page", pages_with("python", "pycon"))
def test_python(page, folder, forget_modules_of):
    namespace = {"__name__": "example"}
    for block in blocks(page):
        if block.kind == "file":
            (folder / block.name).write_text(block.body)
            forget_modules_of(folder)
        elif block.kind == "python":
            exec(compile("\n" * block.line + block.body, str(page), "exec"), namespace)  # noqa: S102 - our own pages
        elif block.kind == "pycon":
            example = doctest.DocTestParser().get_doctest(block.body, namespace, page.name, str(page), block.line)
            said = []
            failed = doctest.DocTestRunner(optionflags=FLAGS).run(example, out=said.append, clear_globs=False).failed
            namespace.update(example.globs)
            assert not failed, "".join(said)


def a_real_process(*words, cwd, env):
    return subprocess.run([sys.executable, "-m", *words], capture_output=True, text=True, cwd=cwd, env=env, check=False)


@pytest.mark.slow
@pytest.mark.parametrize("page", pages_with("console"))
def test_console(page, tmp_path, warm):
    # The tests that a page runs are a run of their own: what this one was started with does not reach them.
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment = {**own, "PYTHONDONTWRITEBYTECODE": "1", "PYTEST_ADDOPTS": "-p no:cacheprovider"}
    code = 0
    for block in blocks(page):
        if block.kind == "file":
            (tmp_path / block.name).write_text(block.body)
        for command, output in commands(block) if block.kind == "console" else ():
            place = f"{page.relative_to(ROOT)}:{block.line}: {command}"
            if command == "echo $?":
                assert output.strip() == str(code), place
                continue
            words = shlex.split(command)
            assert words[0] in {"porting", "pytest"}, f"{place}: only porting and pytest are shown"
            start = warm.run if words[0] == "porting" else a_real_process
            run = start(*words, cwd=tmp_path, env=environment)
            code, said = run.returncode, run.stdout + run.stderr
            assert doctest.OutputChecker().check_output(output, said, FLAGS), f"{place}\n{said}"
