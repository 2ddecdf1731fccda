"""The README is short, the pages show real source, and CI runs the README's very commands."""

import re
from pathlib import Path

import pytest

from porting.registry import ops

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
OPS = (ROOT / "docs" / "ops" / "index.md").read_text()
SHOWN = re.findall(r"<!-- from (\S+) -->\n```python\n(.*?)```", OPS, re.DOTALL)
LONGEST = 150  # lines: what a README may have that people read to its end


def test_it_is_short():
    assert len(README.splitlines()) <= LONGEST


def test_three_trees_are_shown():
    assert {path.split("/")[0] for path, _ in SHOWN} == {"porting", "torch_impl", "tf_impl"}


@pytest.mark.parametrize(("path", "text"), SHOWN, ids=[path for path, _ in SHOWN])
def test_source_is_real(path, text):
    assert text in (ROOT / path).read_text()


def test_the_ops_are_counted():
    (number,) = re.findall(r"\[(\d+) paired ops\]\(docs/ops/index\.md\)", README)
    assert int(number) == sum(op.in_catalogue for op in ops().values()), "README.md says how many ops there are"


def test_ci_runs_the_commands_of_the_readme():
    commands = re.findall(r"(?m)^\$ (python3 -m venv.*|\.venv/bin/.*)$", README)
    lines = (ROOT / ".ci" / "run").read_text().splitlines()
    assert len(commands) == 2
    assert lines[-2:] == commands


@pytest.mark.slow
def test_picture_is_what_its_command_makes(tmp_path, warm):
    pytest.importorskip("torch")
    pytest.importorskip("tensorflow")
    (words,) = re.findall(r"<!-- made by: porting (check .*--svg) docs/verdicts.svg -->", README)
    made = tmp_path / "verdicts.svg"
    run = warm.run("porting", *words.split(), made, "--device", "cpu", "-q", cwd=tmp_path)
    assert run.returncode == 0, run.stdout + run.stderr
    assert made.read_text() == (ROOT / "docs" / "verdicts.svg").read_text()


@pytest.mark.parametrize("page", [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))], ids=lambda p: p.name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        assert there.exists(), f"{page.relative_to(ROOT)} links to {target}"
        if anchor:
            heads = re.findall(r"(?m)^#+ (.*)$", there.read_text())
            slugs = {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}
            assert anchor in slugs, f"{page.relative_to(ROOT)} links to {target}"
