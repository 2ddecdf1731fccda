"""All ops on the installed backends, at a glance: value and gradient in float32."""

import argparse
import time
from pathlib import Path

from porting.cli.output import ensure_writable


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``porting`` without a command."""
    parser.add_argument("--svg", type=Path, metavar="FILE", help="write the table as a picture as well")


def run(args: argparse.Namespace) -> int:
    """Show the table and the next command to try."""
    from rich.console import Console, Group

    from porting import registry
    from porting.cli.picture import write_svg
    from porting.cli.progress import Progress
    from porting.parity import engine
    from porting.parity.plan import plan
    from porting.parity.report import Report
    from porting.report import text

    if args.svg:
        ensure_writable(args.svg, "--svg")
    began = time.monotonic()
    agenda = plan(dtypes=["float32"])
    tasks = [task for task in agenda.tasks if task.check in {"value", "vjp"}]
    with Progress("checks") as progress:
        progress.start(len(tasks))
        results = []
        for task in tasks:
            results.append(engine.run(task, seed=0))
            progress.step()
    report = Report(tuple(results), agenda.missing)
    if results:
        table = text.verdict_table(report, "Value and gradient against the NumPy oracle")
        shown: Group = Group(table, text.legend(report))
    else:
        shown = Group("Nothing could be compared: neither PyTorch nor TensorFlow is installed.")
    console = Console()
    console.print(
        shown, text.notes(report), "", f"{len(registry.ops())} ops, {time.monotonic() - began:.1f} s.", sep="\n"
    )
    if results:
        console.print(
            "Next: [bold]porting check[/] proves every promise; [bold]porting show sin_squared[/] shows a pair."
        )
    if args.svg:
        write_svg(args.svg, "porting", shown)
    return report.exit_code
