"""Show an op's oracle, PyTorch and TensorFlow sources side by side, aligned by role."""

import argparse
from typing import TYPE_CHECKING, Final

from porting.backends import TITLES

if TYPE_CHECKING:
    from rich.console import RenderableType

_THREE_COLUMNS: Final = 150  # a terminal narrower than this gets the sources below each other
_TITLES: Final = {**TITLES, "oracle": "NumPy oracle"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``porting show``."""
    parser.add_argument("op", metavar="OP", help="the op to show")


def run(args: argparse.Namespace) -> int:
    """Print the contract, then value, gradient and call of the three trees."""
    from rich.syntax import Syntax
    from rich.table import Table
    from rich.text import Text

    from porting import registry
    from porting.cli.console import console as console_of
    from porting.report.source import ROLES, sources

    if args.op in registry.families():
        raise registry.RegistryError(f"{args.op} is a family; `porting list {args.op}` shows its ops")
    (op,) = registry.select([args.op])
    console = console_of()
    found = sources(op)
    console.print(Text(f"{op.family}/{op.name}", style="bold"), Text(f"gradient {op.contract.kind}", style="dim"))
    module_doc = __import__(op.module, fromlist=["_"]).__doc__ or ""
    console.print(Text(module_doc.strip()), "")
    wide = console.width >= _THREE_COLUMNS
    table = Table(*([_TITLES[t] for t in found] if wide else []), show_header=wide, expand=True, show_lines=True)
    for role in ROLES:
        cells: list[RenderableType] = [
            Syntax(parts.get(role, ""), "python", word_wrap=True, background_color="default")
            for parts in found.values()
        ]
        if wide:
            table.add_row(*cells)
            continue
        for tree, cell in zip(found, cells, strict=True):
            if found[tree].get(role):
                console.rule(f"{role} · {_TITLES[tree]}", align="left")
                console.print(cell)
    if wide:
        console.print(table)
    return 0
