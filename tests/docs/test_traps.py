"""Each page of a trap shows what fails, what the checker says and a fix on both sides that agrees."""

import ast
import re
import shlex

import pytest
from test_examples import ROOT, blocks, commands

import porting
from porting.cli.asked import asked
from porting.cli.main import parser
from porting.cli.own import pair_of
from porting.diagnosis.cause import causes
from porting.runners import RUNNERS

FOLDER = ROOT / "docs" / "guide" / "traps"
TRAPS = sorted(set(FOLDER.glob("*.md")) - {FOLDER / "index.md"})
LONGEST = 75  # lines, of which the fix has half
INPUTS = {"captured-variable": ["x=float32[n]", "w=float32[]"]}  # the fix has an input more
NAMED = re.compile(r"(?m)^ *Likely cause: .* \((\w+), [\w ]+\)$")
pages = pytest.mark.parametrize("page", TRAPS, ids=lambda page: page.stem)


def the_command(page):
    """Return the words and the output of the only command of a page."""
    ((words, output),) = (found for block in blocks(page) if block.kind == "console" for found in commands(block))
    return shlex.split(words), output


@pages
def test_it_is_short_and_names_a_cause(page):
    text = page.read_text()
    assert len(text.splitlines()) <= LONGEST
    assert re.findall(r"(?m)^## (.*)$", text) == ["The code", "What the checker says", "The fix"]
    (cause,) = NAMED.findall(the_command(page)[1])
    assert cause in causes()
    assert f"({page.name})" in (FOLDER / "index.md").read_text()
    assert re.search(rf"\({page.name}\) \|.*\| `{cause}` \|$", (FOLDER / "index.md").read_text(), re.MULTILINE)


def last_name(source):
    """Return the last function or class that a file defines at its top: what the others are for."""
    return [node.name for node in ast.parse(source).body if isinstance(node, ast.ClassDef | ast.FunctionDef)][-1]


@pytest.mark.slow
@pages
def test_both_sides_of_the_fix_agree(page, folder):
    for key in ("torch", "tf"):
        if reason := RUNNERS[key].missing():
            pytest.skip(reason)
    words, _ = the_command(page)
    args = parser().parse_args(words[1:])
    for block in blocks(page):
        if block.kind == "file":
            (folder / block.name).write_text(block.body)
    for key in ("torch", "tf"):
        (file,) = folder.glob(f"*_{key}.py")
        setattr(args, key, f"{file.name}:{last_name(file.read_text())}")
    args.input, args.reference = INPUTS.get(page.stem, args.input), None
    report = porting.check(pair_of(args), **asked(args) | {"keyword": ""}, only=["vjp", args.keyword], isolate=False)
    assert report.exit_code == 0, str(report)
    agreed = {(result.check, result.runner) for result in report.results if result.status == "agree"}
    assert {("vjp", "torch"), ("vjp", "tf")} <= agreed
    assert args.keyword in {check for check, _ in agreed}
    assert not [result for result in report.results if result.status in {"note", "no verdict"}]
