"""Repeat a published training run on each backend, beside the published losses."""

import argparse
from pathlib import Path

from porting.cli.output import ensure_writable

_RUNNERS = ("oracle", "torch", "tf")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``porting train``."""
    parser.add_argument("run_name", metavar="RUN", choices=["legendre"], help="legendre: y = a + b P3(c + d x) on a sine")
    parser.add_argument("--runner", action="append", default=[], help="oracle, torch or tf (repeatable); all by default")
    parser.add_argument("--plot", type=Path, metavar="FILE.png", help="draw data, fits and loss curves")


def run(args: argparse.Namespace) -> int:
    """Train, print the losses side by side and the final line, and say whether the text is reproduced."""
    raise NotImplementedError
