"""A script that reads its arguments when it is imported gets none of ours.

Seen in code of public repositories.
"""

import sys

from porting.loading import load

_SCRIPT = """\
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--rate", type=float, default=0.5)
args = parser.parse_args()


def scaled(x):
    return args.rate * x
"""


def test_it_has_its_defaults(tmp_path, monkeypatch):
    file = tmp_path / "script_with_arguments.py"
    file.write_text(_SCRIPT, encoding="utf-8")
    ours = ["porting", "check", "--torch", str(file)]
    monkeypatch.setattr(sys, "argv", ours)
    assert load(f"{file}:scaled", "--torch")(2.0) == 1.0
    assert sys.argv is ours
