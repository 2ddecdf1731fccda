"""Show in which modes of the frameworks a custom gradient survives, and where it is lost silently."""

import argparse
import json
import time
from pathlib import Path
from typing import TYPE_CHECKING

from porting.backends import BACKENDS
from porting.cli import own
from porting.cli.numbers import amount, natural, positive
from porting.files import ensure_writable, write

if TYPE_CHECKING:
    from porting.survive.matrix import Matrix


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``porting survive``."""
    add = parser.add_argument
    add("names", nargs="*", metavar="OP|FAMILY|FILE.toml", help="what to ask about; everything when left out")
    own.add_arguments(parser)
    add(
        "--runner", action="append", default=[], choices=list(BACKENDS), help="a framework (repeatable); all by default"
    )
    add("--mode", action="append", default=[], help="a mode (repeatable), or all, which is the default; see --modes")
    add("--modes", action="store_true", help="say what each mode is, and what counts as kept there; nothing is run")
    add("--seed", type=natural, default=0, help="inputs and cotangents follow from it (0)")
    add("--jobs", type=positive, default=1, metavar="N", help="worker processes (1)")
    add("--timeout", type=amount, default=120.0, metavar="SECONDS", help="for one op in one mode (120)")
    add("--known", type=Path, metavar="FILE", help="accepted losses: TOML as for check, its `check` is a mode")
    add("--json", type=Path, metavar="FILE", help="write the matrix as JSON")
    add("--svg", type=Path, metavar="FILE", help="write the matrix as a picture")
    add("-q", "--quiet", action="store_true", help="what is lost or refused, and the last line only")


def run(args: argparse.Namespace) -> int:
    """Ask, print the matrix, write the files."""
    if args.modes:
        for key, backend in BACKENDS.items():
            for mode in backend.modes.values():
                print(f"{key} {mode.name}: {mode.kept}")
        return 0
    for option, path in {"--json": args.json, "--svg": args.svg}.items():
        if path:
            ensure_writable(path, option)
    from porting.cli.progress import Progress
    from porting.survive.survive import survive

    began = time.monotonic()
    with Progress("cells", quiet=args.quiet) as progress:
        matrix = survive(
            own.pair_of(args) or args.names or None,
            runners=args.runner,
            modes=args.mode,
            seed=args.seed,
            jobs=args.jobs,
            timeout=args.timeout,
            known_differences=args.known,
            on_start=progress.start,
            on_cell=lambda _: progress.step(),
        )
    _show(matrix, args, time.monotonic() - began)
    return matrix.exit_code


def _show(matrix: "Matrix", args: argparse.Namespace, seconds: float) -> None:
    """Print the matrix, and write the files that are asked for."""
    from porting.cli.console import console as console_of
    from porting.cli.picture import write_svg
    from porting.report import survival

    console = console_of()
    for line in matrix.described:
        console.print(f"asked: {line}", markup=False, soft_wrap=True)
    shown = list(survival.tables_of(matrix))
    if not args.quiet:
        console.print(*shown, sep="\n", crop=False)
    for line in (*survival.findings(matrix), *matrix.problems):
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    console.print(f"{survival.summary(matrix)}, {seconds:.1f} s.", soft_wrap=True)
    for name, reason in matrix.missing.items():
        console.print(f"not asked: {name}: {reason}", markup=False, soft_wrap=True)
    if args.json:
        write(args.json, json.dumps(matrix.to_json(), indent=1, allow_nan=True) + "\n", "--json")
    if args.svg:
        write_svg(args.svg, "porting survive", *shown)
