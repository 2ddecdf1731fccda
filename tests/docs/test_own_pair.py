"""What the pages about own pairs list is what there is: checks, causes, options, exit codes, forms of inputs."""

import argparse
import re
from inspect import signature
from pathlib import Path

import pytest

import porting
from porting.cli.main import parser
from porting.diagnosis.cause import causes
from porting.numeric.kinds import NAMES
from porting.pairs.parse import parse_input
from porting.parity import report
from porting.parity.checks import checks
from porting.parity.finding import KINDS

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
GUIDE = (ROOT / "docs" / "guide" / "own-pair.md").read_text()
COMMANDS = (ROOT / "docs" / "commands.md").read_text()
CHECKS = (ROOT / "docs" / "guide" / "checks.md").read_text()
TITLES = {"oracle": "oracle", "torch": "PyTorch", "tf": "TensorFlow"}


def table(text, head):
    """Return the rows of the table whose header begins like this."""
    rest = text[text.index(f"\n| {head} |") + 1 :]
    lines = rest[: rest.index("\n\n")] if "\n\n" in rest else rest
    return [re.split(r"(?<!\\) \| ", line.strip("| \n")) for line in lines.strip().splitlines()[2:]]


def commands(root):
    """Return the parsers of the commands by name."""
    (sub,) = (action for action in root._actions if isinstance(action, argparse._SubParsersAction))
    return sub.choices


def test_checks():
    sides = {name: ", ".join(TITLES[key] for key in c.runners) for name, c in checks().items()}
    rows = [[f"`{name}`", c.about, sides[name], "widest" if c.once else "each"] for name, c in checks().items()]
    assert table(CHECKS, "check") == rows


def test_causes():
    rows = [[f"`{name}`", c.title, c.kind] for name, c in sorted(causes().items())]
    assert table(CHECKS, "cause") == rows


def test_classes_of_causes_are_explained():
    named = re.findall(r"(?m)^- \*([\w ]+)\*: ", CHECKS)
    assert sorted(named) == sorted(set(KINDS) - {"no verdict"})
    assert {c.kind for c in causes().values()} <= set(named)


@pytest.mark.parametrize("text", [README, GUIDE, CHECKS], ids=["README", "own-pair", "checks"])
def test_causes_that_are_named_exist(text):
    said = re.findall(r"porting explain (\w+)|\((\w+), (?:fault|precision|portability|kink convention)\)", text)
    assert said
    assert {name for pair in said for name in pair if name} <= set(causes())


def test_exit_codes():
    codes = {value for name, value in vars(report).items() if name.startswith("EXIT_")}
    assert {int(code) for code, _ in table(GUIDE, "exit code")} == codes


def test_forms_of_inputs():
    rows = table(GUIDE, "`--input`")
    assert len(rows) == 10
    for given, call, _ in rows:
        array = eval(call.strip("`"), {"porting": porting})  # noqa: S307 - our own page
        assert parse_input(given.strip("`"))[1] == array, given


def test_kinds_of_inputs():
    said = {name for cell, _ in table(GUIDE, "kind") for name in re.findall(r"`([a-z]+)", cell)}
    assert said == {*NAMES, "sparse"}


def test_commands():
    said = [name for cell, _ in table(COMMANDS, "command") for name in re.findall(r"`porting (\w+)", cell)]
    assert set(said) == set(commands(parser()))


@pytest.mark.parametrize("text", [README, GUIDE, COMMANDS], ids=["README", "own-pair", "commands"])
def test_options_exist(text, pytestconfig):
    root = parser()
    there = {option for command in (root, *commands(root).values()) for option in command._option_string_actions}
    missing = object()
    for option in set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", re.sub(r"(?s)<!--.*?-->", "", text))):
        known = option in there or pytestconfig.getoption(option[2:].replace("-", "_"), default=missing) is not missing
        assert known, f"there is no {option}"


def test_ini_keys_exist(pytestconfig):
    (sentence,) = re.findall(r"(?s)the ini keys (.*?)\.", GUIDE)
    keys = re.findall(r"`(\w+)`", sentence)
    assert len(keys) == 4
    for key in keys:
        pytestconfig.getini(key)


def test_options_of_check_are_all_said():
    there = {option for option in commands(parser())["check"]._option_string_actions if option.startswith("--")}
    short = {"--help", "--quiet", "--verbose"}  # the page has -q and -v
    assert there - short <= set(re.findall(r"--[a-z-]+", COMMANDS))


def test_arguments_that_are_named_exist():
    arguments = set(signature(porting.check).parameters) | set(signature(porting.Pair).parameters)
    arguments |= set(porting.Contract.__dataclass_fields__) | set(signature(porting.array).parameters)
    arguments |= set(signature(porting.parametrize_checks).parameters)
    prose = re.sub(r"(?ms)^```.*?^```|^\|.*?$", "", GUIDE)
    spans = [span for span in re.findall(r"`([^`]+)`", prose) if not span.startswith("-")]
    said = {name for span in spans for name in re.findall(r"\b([a-z_]+)=", span)}
    assert len(said) > 8
    assert said <= arguments


def test_a_pair_is_checked_in_fewer_than_ten_lines():
    section = README[README.index("## From Python") : README.index("## The ops")]
    blocks = re.findall(r"(?ms)^```(?:python|console)\n(.*?)^```", section)
    assert len(blocks) == 3
    assert all(len(block.splitlines()) < 10 for block in blocks)
