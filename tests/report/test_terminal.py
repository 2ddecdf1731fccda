"""What people see: in a real terminal of 60, 80 and 120 columns, without colours, piped, and without UTF-8.

The report is made up, and shown as the command shows one: the widest table that the catalogue can fill.
"""

import codecs
import fcntl
import io
import json
import os
import pty
import re
import shlex
import struct
import subprocess
import sys
import termios
from dataclasses import replace
from functools import cache

import pytest
from rich.console import Console
from samplereport import CAUSE, result

from porting.backends import BACKENDS, TITLES
from porting.cli import streams
from porting.dtypes import FLOATS
from porting.parity.report import Report
from porting.registry import families, ops
from porting.report import survival
from porting.survive.cell import Cell
from porting.survive.matrix import Matrix

WIDTHS = (60, 80, 120)
SHOW = """
import sys
from porting.cli import asked, main, streams
from porting.parity.report import Report
streams.prepare()
words = ["check", *sys.argv[2:]]
asked.show(Report.from_json(open(sys.argv[1], encoding="utf8").read()), main.parser().parse_args(words), 431282.0)
"""
COLOUR = re.compile(r"\x1b\[[\d;]*m")
TARGET = "--torch ops/a_file_of_mine.py:soft_sign --tf ops/another_file.py:soft_sign --input 'x=float64[n]{-3..3}'"


def widest():
    """Return a report of every op on every runner, in which float64 differs and float16 has no verdict."""
    statuses = dict(zip(FLOATS, ("no verdict", "known", "agree", "differ"), strict=True))
    found = [
        replace(result(status), op=name, runner=runner, dtype=dtype, target=name)
        for name in ops()
        for runner in TITLES
        for dtype, status in statuses.items()
    ]
    first = next(n for n, r in enumerate(found) if r.status == "differ")
    found[first] = replace(found[first], target=TARGET)
    return Report(tuple(found), diagnoses=(replace(CAUSE, op=found[first].op, runner=found[first].runner),))


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    file = tmp_path_factory.mktemp("shown") / "report.json"
    file.write_text(widest().to_json())
    return file


@cache
def shown(saved, *words, columns, **environment):
    """Return what a terminal of so many columns gets."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    kept = {n: v for n, v in os.environ.items() if n not in {"COLUMNS", "LINES", "NO_COLOR", "LC_ALL", "FORCE_COLOR"}}
    run = subprocess.Popen(
        [sys.executable, "-c", SHOW, saved, *words], stdin=theirs, stdout=theirs, stderr=theirs,
        env={**kept, "TERM": "xterm-256color", **environment},
    )  # fmt: skip
    os.close(theirs)
    text = b""
    try:
        while chunk := os.read(ours, 1 << 16):
            text += chunk
    except OSError:  # the other end is closed, and all is read
        pass
    os.close(ours)
    assert run.wait() == 0, text.decode()
    return text.decode().replace("\r\n", "\n")


def table(text):
    """Return the lines of the table, without colours."""
    plain = COLOUR.sub("", text)
    return plain[: plain.index("one mark per dtype")].splitlines()[:-1]


ASCII = {"PYTHONIOENCODING": "ascii"}


@pytest.mark.parametrize(
    ("columns", "environment", "marks"),
    [
        *((columns, {}, "? ≈ ✓ ✗") for columns in WIDTHS),
        *((columns, ASCII, "nv ~  ok XX") for columns in WIDTHS),
        (80, {"LC_ALL": "C"}, "nv ~  ok XX"),
    ],
)
def test_no_mark_is_cut(saved, columns, environment, marks):
    text = shown(saved, columns=columns, **environment)
    lines = table(text)
    assert all(len(line) <= columns for line in lines), max(lines, key=len)
    rows = [line for line in lines if marks in line]
    assert len(rows) == len(ops())
    assert all(line.count(marks) == len(TITLES) for line in rows)
    for family in families():  # rows stand below their family
        assert family in [line.strip() for line in lines]
    shortened = [line.split()[0] for line in rows]
    ellipsis = "…" if not environment else "..."
    named = zip(shortened, ops(), strict=True)
    assert all(name == op or (ellipsis in name and op.startswith(name.partition(ellipsis)[0])) for name, op in named)
    assert columns == min(WIDTHS) or shortened == list(ops())
    meant = text[text.index(marks.split()[-1] + " differs") - 60 :]
    assert all(word in meant for word in ("agrees", "accepted difference", "differs", "no verdict"))
    if environment:
        assert text.isascii()
        assert "?" not in text.replace("porting explain", "")


def test_no_colour_where_none_is_wanted(saved):
    text = shown(saved, columns=80, NO_COLOR="1")
    assert not re.search(r"\x1b\[(3|4|9|10)\d", text), "bold and dim are no colours"
    assert "✗" in text


def test_what_is_piped_has_no_colour_and_80_columns(saved):
    run = subprocess.run([sys.executable, "-c", SHOW, saved], capture_output=True, text=True, check=True)
    assert "\x1b" not in run.stdout
    assert max(map(len, table(run.stdout))) <= 80
    assert run.stdout.count("✗") > len(ops()) * len(TITLES)


@pytest.mark.parametrize("columns", WIDTHS)
def test_a_command_to_repeat_can_be_pasted(saved, columns):
    lines = COLOUR.sub("", shown(saved, columns=columns)).splitlines()
    again = next(line for line in lines if "another_file.py" in line)
    said = again.removeprefix("  again: ")
    assert said != again, "it begins the line, so that nothing else is pasted with it"
    assert shlex.split(said)[:3] == ["porting", "check", "--torch"]
    assert shlex.split(said)[-4:] == ["-k", "vjp", "--seed", "7"], "no line break of ours is in it"


def test_a_number_has_one_colour(saved, tmp_path):
    one = tmp_path / "one.json"
    content = json.loads(saved.read_text())
    content["results"] = [{**content["results"][2], "compared": 431_282}]
    content["diagnoses"] = []
    one.write_text(json.dumps(content))
    styled, style = [], ""
    for colour, sign in re.findall(r"(\x1b\[[\d;]*m)|(.)", shown(one, "-q", columns=120)):
        style = colour or style
        styled += [] if colour else [(sign, style)]
    at = "".join(sign for sign, _ in styled).index("431,282")
    assert len({style for _, style in styled[at : at + len("431,282")]}) == 1


@pytest.mark.parametrize("columns", [40, 80])
@pytest.mark.parametrize(("encoding", "wrong"), [("utf8", "✗"), ("ascii", "XX")])
def test_no_mark_of_a_matrix_of_modes_is_cut(columns, encoding, wrong):
    cells = tuple(
        Cell(op, key, mode, "lost silently", "float64", 0)
        for op in ops()
        for key, backend in BACKENDS.items()
        for mode in backend.modes
    )
    screen = io.TextIOWrapper(io.BytesIO(), encoding)
    for shown_one in survival.tables_of(Matrix(cells)):
        Console(file=screen, width=columns).print(shown_one, crop=False)
    screen.seek(0)
    lines = screen.read().splitlines()
    assert max(map(len, lines)) <= columns
    legends = 2
    assert sum(line.count(wrong) for line in lines) == len(cells) + legends


@pytest.mark.parametrize(
    ("text", "plain"), [("✓ ✗ ≈ · …", "ok XX ~ - ..."), ("a → é \N{MULTIPLICATION SIGN} 漢", "a -> e x ?")]
)
def test_a_sign_that_an_encoding_lacks_is_written_in_letters(text, plain):
    codecs.register_error("of this test", streams.in_letters)
    assert text.encode("ascii", "of this test").decode() == plain
    assert text.encode("utf8", "of this test").decode() == text
