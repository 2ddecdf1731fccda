"""All ops on the installed backends, at a glance: value and gradient of one case each, in float32."""

import argparse
import time
from pathlib import Path

from porting.files import ensure_writable


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``porting`` without a command."""
    parser.add_argument("--svg", type=Path, metavar="FILE", help="write the table as a picture as well")


def run(args: argparse.Namespace) -> int:
    """Show the table and the next command to try."""
    from rich.text import Text

    from porting import registry
    from porting.cli.console import console as console_of
    from porting.cli.picture import write_svg
    from porting.cli.progress import Progress
    from porting.engine.check import check
    from porting.report import text
    from porting.report.verdicts import Verdicts

    if args.svg:
        ensure_writable(args.svg, "--svg")
    began = time.monotonic()
    with Progress("checks") as progress:
        report = check(
            dtypes=["float32"],
            only=["vjp"],
            quick=True,
            on_start=progress.start,
            on_result=lambda _: progress.step(),
        )
    if report.results:
        shown: Verdicts | Text = Verdicts(report, "Value and gradient against the NumPy oracle")
    else:
        shown = Text("Nothing could be compared: neither PyTorch nor TensorFlow can be had here.")
    console = console_of()
    console.print(shown, crop=False)
    console.print(text.notes(report), "", f"{len(registry.ops())} ops, {time.monotonic() - began:.1f} s.", sep="\n")
    if report.results:
        console.print(
            "Next: [bold]porting check[/] proves every promise; [bold]porting show sin_squared[/] shows a pair."
        )
    if args.svg:
        write_svg(args.svg, "porting", shown)
    return report.exit_code
