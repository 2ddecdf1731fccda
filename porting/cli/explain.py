"""Show the page of one cause: what is seen, why it comes about, the fix in each framework."""

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``porting explain``."""
    parser.add_argument(
        "cause", nargs="?", help="a cause as the report names it; all of them, in a list, when left out"
    )


def run(args: argparse.Namespace) -> int:
    """Show one page, or the list."""
    from rich.markup import escape
    from rich.table import Table

    from porting.backends import TITLES
    from porting.cli.console import console as console_of
    from porting.diagnosis.cause import causes, named

    console = console_of()
    if args.cause is None:
        table = Table(box=None, pad_edge=False, header_style="bold")
        table.add_column("cause", no_wrap=True)
        table.add_column("what it is")
        table.add_column("class")
        for cause in sorted(causes().values(), key=lambda c: c.name):
            table.add_row(cause.name, escape(cause.title), cause.kind)
        console.print(table)
        return 0
    cause = named(args.cause)
    console.print(f"[bold]{cause.name}[/] ({cause.kind})", escape(cause.title), "", sep="\n")
    console.print(escape(cause.why), "", sep="\n")
    told = {f"{TITLES[key]}:": fix for key, fix in cause.fixes.items()}
    for label, text in {**told, "Meant so?": cause.meant}.items():
        if text:
            console.print(f"[bold]{label}[/] {escape(text)}")
    return 0
