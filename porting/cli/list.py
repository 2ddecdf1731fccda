"""List the ops: family, inputs, what the gradient is, how often it can be differentiated."""

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``porting list``."""
    parser.add_argument("names", nargs="*", metavar="OP|FAMILY", help="only these")


def run(args: argparse.Namespace) -> int:
    """Print one row per op; one line each, separated by tabs, where stdout is no terminal."""
    from rich.table import Table

    from porting import registry
    from porting.cli.console import console as console_of

    ops = registry.select(args.names)
    rows = [
        (
            op.family,
            op.name,
            ", ".join([*op.inputs, *(["*", *op.statics] if op.statics else [])]),
            op.contract.kind,
            "linear" if op.contract.linear else "not linear",
            f"order {op.contract.order}",
        )
        for op in ops
    ]
    console = console_of()
    if not console.is_terminal:
        for row in rows:
            print("\t".join(row))
        return 0
    table = Table(
        "family", "op", "arguments", "gradient", "in dy", "differentiable", header_style="bold", pad_edge=False
    )
    for row in rows:
        table.add_row(*row)
    console.print(table)
    return 0
