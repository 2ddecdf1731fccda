"""Repeat a published training run on each backend, beside the published losses."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from porting.files import OutputError, ensure_writable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from porting.train.legendre import Fit


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``porting train``."""
    parser.add_argument("name", metavar="RUN", choices=["legendre"], help="legendre: y = a + b P3(c + d x) on a sine")
    parser.add_argument(
        "--runner", action="append", default=[], help="oracle, torch or tf (repeatable); all installed ones by default"
    )
    parser.add_argument("--plot", type=Path, metavar="FILE.png", help="draw data, fits and loss curves")


def run(args: argparse.Namespace) -> int:
    """Train, print the losses side by side and the final weights, and say whether the text is reproduced."""
    from importlib import import_module
    from importlib.util import find_spec

    from porting.cli.console import console as console_of
    from porting.cli.progress import Progress
    from porting.engine.devices import importable
    from porting.parity.plan import installed
    from porting.parity.report import EXIT_AGREE, EXIT_DIFFER
    from porting.train import legendre
    from porting.train.plot import plot

    if args.plot:
        ensure_writable(args.plot, "--plot")
        if args.plot.suffix.lower() != ".png":
            raise OutputError(f"--plot {args.plot}: a PNG picture is drawn; give a name that ends in .png")
        if not find_spec("matplotlib"):
            raise OutputError('--plot needs matplotlib: pip install "gradport[report]"')
    runners, missing = installed(args.runner)
    runners, broken = importable(runners, named=bool(args.runner))
    missing |= broken
    with Progress("training steps") as progress:
        progress.start(legendre.STEPS * len(runners))
        fits = [import_module(f"porting.train.{key}").fit(lambda _: progress.step()) for key in runners]
    console = console_of()
    console.print(_table(fits))
    console.print(*(_final(fit) for fit in fits), sep="\n", highlight=False, soft_wrap=True)
    for name, reason in missing.items():
        console.print(f"Not trained: {name}: {reason}", markup=False)
    wrong = [f"{fit.runner}: {sentence}" for fit in fits for sentence in legendre.mismatches(fit)]
    for sentence in wrong:
        console.print(sentence, style="red", soft_wrap=True, markup=False)
    if args.plot:
        plot(fits, args.plot)
    return EXIT_DIFFER if wrong else EXIT_AGREE


def _table(fits: "Sequence[Fit]") -> "Table":
    from porting.backends import TITLES
    from porting.tables import table
    from porting.train.legendre import PUBLISHED_LOSSES, apart, deviation

    made = table("Loss of y = a + b P3(c + d x) on a sine")
    made.add_column("step")
    for title in ("published", *(TITLES[fit.runner] for fit in fits)):
        made.add_column(title, justify="right")
    for step, published in PUBLISHED_LOSSES.items():
        made.add_row(str(step), f"{published:.5f}", *(f"{fit.losses[step]:.5f}" for fit in fits))
    made.add_section()
    made.add_row("furthest from the text", "", *(f"{deviation(fit):.1e}" for fit in fits))
    if fits[0].runner == "oracle":
        made.add_row("from the oracle, all steps", "", *(f"{apart(fit, fits[0]):.1e}" for fit in fits))
    return made


def _final(fit: "Fit") -> str:
    """Return the last line in the form that the text prints."""
    return f"{fit.runner:6} Result: y = {fit.a} + {fit.b} * P3({fit.c} + {fit.d} x)"
