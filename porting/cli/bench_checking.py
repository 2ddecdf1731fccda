"""The subject *checking* of ``porting bench``: what a proof costs, beside what people use now."""

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from porting.files import write

if TYPE_CHECKING:
    from rich.console import Console

    from porting.bench.checking.result import Checking

NAME: Final = "checking"
_TAKEN: Final = {"names", "size", "rounds", "json", "markdown", "plot", "quiet"}  # of the options of ``porting bench``


def is_asked(args: argparse.Namespace) -> bool:
    """Whether the command is about the cost of checks."""
    return bool(args.names[:1] == [NAME])


def run(args: argparse.Namespace, console: "Console", default: Mapping[str, Any], command: str) -> int:
    """Measure, print the table, write the files.

    Parameters
    ----------
    args : argparse.Namespace
        What was asked for.
    console : rich.console.Console
        Where the table goes.
    default : mapping
        What each option of ``porting bench`` is where it is left out.
    command : str
        The command that makes this run again.
    """
    from porting import registry
    from porting.bench.checking.run import OPS, SIZES, checking
    from porting.bench.checking.steps import SUBJECTS, UNIT
    from porting.bench.checking.text import table
    from porting.cli.progress import Progress
    from porting.parity.plan import UsageError, installed
    from porting.parity.report import EXIT_AGREE, EXIT_INTERRUPTED, EXIT_NOTHING

    given = [name for name, value in default.items() if name not in _TAKEN and getattr(args, name) != value]
    if given:
        option = "no-memory" if given[0] == "memory" else given[0].replace("_", "-")
        raise UsageError(f"porting bench checking has no --{option}: it times checks of the catalogue, in float64")
    ops = registry.select(args.names[1:] or list(OPS))
    sizes = list(SIZES) if args.size == default["size"] else args.size
    backends, missing = installed([])
    backends = [key for key in backends if key in SUBJECTS]
    with Progress("measurements", quiet=args.quiet) as progress:
        found = checking(
            ops, sizes, backends, args.rounds,
            command=command, missing=missing, on_start=progress.start, on_result=progress.step,
        )  # fmt: skip
    console.print(table(found), highlight=False)
    for reason in missing.values():
        console.print(f"Not measured: {reason}", markup=False, soft_wrap=True)
    _write(found, args)
    if found.interrupted:
        console.print("interrupted: the table holds what was measured so far")
        return EXIT_INTERRUPTED
    return EXIT_AGREE if any(UNIT in place.seconds for place in found.places) else EXIT_NOTHING


def _write(found: "Checking", args: argparse.Namespace) -> None:
    from porting.bench.checking.page import page

    if args.json:
        write(args.json, found.to_json() + "\n", "--json")
    if args.markdown:
        write(args.markdown, page(found, args.plot.name if args.plot else "checking.png"), "--markdown")
    if args.plot:
        from porting.bench.checking.plot import plot

        plot(found, args.plot)
