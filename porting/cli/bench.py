"""Measure time and memory: each twin beside the bytes that must move, the plain composition, the built-in."""

import argparse
import os
import re
import shlex
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from porting.cli import bench_checking, history, own
from porting.cli.numbers import positive
from porting.files import OutputError, ensure_writable, write

if TYPE_CHECKING:
    from rich.console import Console

    from porting.bench.bounds import Bounds
    from porting.bench.result import Bench
    from porting.bench.run import Asked
    from porting.spec import Op

_SIZES: Final = "2^10,2^16,2^22"
_MODES: Final = "torch-eager, torch-compile, tf-eager, tf-function, tf-xla"
_MINUTES: Final = 2  # fewer are said in seconds
_WIDE: Final = 160  # of a table in a file or a pipe
_WHAT: Final = "what to measure; everything when left out; checking [OP...]: what a proof costs, by numbers of elements"
_CHECK: Final = (
    "hold the ratios to the bounds, measuring doubtful ones again; exit 1 if one is out, 5 if none is judged"
)
_PLAIN: Final = re.compile(r"[\w@%+=:,./^-]+")  # a word that a shell takes as it is
_TENSORS: Final = 24  # of the largest size at a time: two inputs, and all that three subjects keep and return


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``porting bench``."""
    add = parser.add_argument
    add("names", nargs="*", metavar="OP|FAMILY|FILE.toml|checking", help=_WHAT)
    own.add_arguments(parser)
    add("--size", type=_sizes, default=_SIZES, metavar="N,...", help=f"elements of the largest input ({_SIZES})")
    add("--dtype", default="float32", help="float16, bfloat16, float32 or float64 (float32)")
    add("--device", default="cpu", help="cpu or gpu (cpu)")
    add("--mode", type=_listed, default=[], metavar="MODE,...", help=f"{_MODES}; all by default")
    add("--rounds", type=positive, default=15, metavar="N", help="how often each is timed (15)")
    add("--no-memory", dest="memory", action="store_false", help="times only, not what is kept for the backward")
    add("--check", action="store_true", help=_CHECK)
    history.add_arguments(parser)
    add("--json", type=Path, metavar="FILE", help="write everything as JSON")
    add("--markdown", type=Path, metavar="FILE", help="write the comparison as a page, such as docs/bench.md")
    add("--plot", type=Path, metavar="FILE.png", help="draw how far each op is from the floor")
    add("-q", "--quiet", action="store_true", help="no progress")


def run(args: argparse.Namespace) -> int:
    """Measure, print the table, write the files."""
    from porting.cli.console import console as console_of

    _ensure_files(args)
    console = console_of(width=None if sys.stdout.isatty() or "COLUMNS" in os.environ else _WIDE)
    if bench_checking.is_asked(args):
        _ensure_room(max(args.size), "float64")
        return bench_checking.run(args, console, _defaults(), _command(args))
    return _run(args, console)


def _run(args: argparse.Namespace, console: "Console") -> int:
    """Measure ops, or pairs of the user's own."""
    from porting import registry
    from porting.bench import bounds, ratio, text
    from porting.bench.run import Asked, bench
    from porting.bench.since import lines
    from porting.cli.measured import measured
    from porting.cli.progress import Progress
    from porting.parity.plan import UsageError
    from porting.parity.report import EXIT_AGREE, EXIT_INTERRUPTED, EXIT_NOTHING

    then = history.before(args, "bench")
    ops, pairs, modes, missing = measured(args)
    _ensure_room(max(args.size), args.dtype)
    if args.check and args.dtype != "float32":
        raise UsageError(f"--check holds float32 to its bounds, not {args.dtype}")
    limits = bounds.load(list(registry.ops().values())) if args.check else None
    if limits:
        bounds.ensure_classified(limits, ops)
    noisy = limits.noisy if limits else ratio.NOISY
    asked = Asked(pairs or ops, args.size, modes, args.dtype, args.device, args.rounds, memory=args.memory, noisy=noisy)
    if not args.quiet:
        roughly = f"{asked.minutes:.0f} min" if asked.minutes >= _MINUTES else f"{max(asked.minutes * 60, 1):.0f} s"
        print(f"porting: {asked.steps} measurements, roughly {roughly}", file=sys.stderr, flush=True)
    with Progress("measurements", quiet=args.quiet) as progress:
        found = bench(asked, command=_command(args), missing=missing, on_start=progress.start, on_result=progress.step)
    if limits and not found.interrupted:
        found = _again(found, asked, limits, ops, quiet=args.quiet)
    console.print(text.table(found), highlight=False)
    for name, reason in missing.items():
        console.print(f"Not measured: {name}: {reason}", markup=False, soft_wrap=True)
    if found.interrupted:
        console.print("interrupted: the table holds what was measured so far")
    _write(found, args)
    for line in history.told(then, lambda text, title: lines(text, found, title)):
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    said = history.keep(args, "bench", found.to_json(), interrupted=found.interrupted)
    if said:
        console.print(said, markup=False, highlight=False, soft_wrap=True)
    code = EXIT_AGREE if any(row.ratios for row in found.rows) else EXIT_NOTHING
    if limits:
        code = _judged(found, limits, ops, console)
    return EXIT_INTERRUPTED if found.interrupted else code


def _again(found: "Bench", asked: "Asked", limits: "Bounds", ops: "list[Op]", *, quiet: bool) -> "Bench":
    """Measure again what is out or too noisy; see `porting.bench.again`."""
    from porting import registry
    from porting.bench.again import TRIES, again, doubtful
    from porting.bench.judge import judge
    from porting.cli.progress import Progress

    for _ in range(TRIES):
        places = doubtful(judge(found, limits, ops, list(registry.ops().values())).verdicts)
        if places and not found.interrupted:
            with Progress("measurements made again", quiet=quiet) as progress:
                progress.start(len(places))
                found = again(found, asked, places, on_result=progress.step)
    return found


def _judged(found: "Bench", limits: "Bounds", ops: "list[Op]", console: "Console") -> int:
    """Print what is out, what could not be judged, and the sums."""
    from porting import registry
    from porting.bench.judge import NO_VERDICT, OUT, WITHIN, judge

    judgement = judge(found, limits, ops, list(registry.ops().values()))
    for verdict in (*judgement.of(NO_VERDICT), *judgement.of(OUT)):
        style = "red" if verdict.verdict == OUT else "yellow"
        console.print(str(verdict), style=style, markup=False, highlight=False, soft_wrap=True)
    for sentence in judgement.dead:
        console.print(sentence, style="red", markup=False, soft_wrap=True)
    counts = ", ".join(f"{len(judgement.of(kind))} {kind}" for kind in (WITHIN, OUT, NO_VERDICT))
    console.print(f"{len(judgement.verdicts)} ratios held to their bounds: {counts}", highlight=False)
    return judgement.exit_code


def _ensure_files(args: argparse.Namespace) -> None:
    for option in ("json", "markdown", "plot"):
        path = getattr(args, option)
        if path:
            ensure_writable(path, f"--{option}")
    if args.plot:
        if args.plot.suffix.lower() != ".png":
            raise OutputError(f"--plot {args.plot}: a PNG picture is drawn; give a name that ends in .png")
        if not find_spec("matplotlib"):
            raise OutputError('--plot needs matplotlib: pip install "gradport[report]"')


def _write(found: "Bench", args: argparse.Namespace) -> None:
    from porting import registry
    from porting.bench.bounds import load
    from porting.bench.markdown import page

    if args.json:
        write(args.json, found.to_json() + "\n", "--json")
    if args.markdown:
        ops = list(registry.ops().values())
        write(args.markdown, page(found, ops, load(ops).exceptions), "--markdown")
    if args.plot:
        from porting.bench.plot import plot

        plot(found, args.plot)


def _sizes(text: str) -> list[int]:
    """Read ``2^10,65536``, for argparse."""
    from porting.bench.size import parse_size

    try:
        return sorted({parse_size(part) for part in text.split(",")})
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _ensure_room(size: int, dtype: str) -> None:
    """Refuse a size that this machine's memory cannot hold."""
    from porting.bench.size import written_size
    from porting.dtypes import as_dtype
    from porting.parity.plan import UsageError
    from porting.room import memory_here

    there = memory_here()
    wanted = size * as_dtype(dtype).itemsize * _TENSORS
    if wanted > there:
        have, want = f"{there / 2**30:,.0f}", f"{wanted / 2**30:,.0f} GiB"
        raise UsageError(f"--size {written_size(size)}: about {want} would be needed, this machine has {have}")


def _defaults() -> dict[str, Any]:
    """Return what each option is where it is left out."""
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return vars(parser.parse_args([]))


def _command(args: argparse.Namespace) -> str:
    """Return the command that makes this run again, options in their defaults left out."""
    from porting.bench.size import written_size

    words = ["porting", "bench", *args.names]
    for name, value in _defaults().items():
        given = getattr(args, name)
        if name in {"names", "quiet", "save", "compare", "storage"} or given == value:
            continue
        match given:
            case bool():
                words.append("--no-memory" if name == "memory" else f"--{name}")
            case list() if name == "size":
                words += ["--size", ",".join(map(written_size, given))]
            case list() if name == "mode":
                words += ["--mode", ",".join(given)]
            case list():
                words += [word for each in given for word in (_option(name), str(each))]
            case _:
                words += [_option(name), str(given)]
    return " ".join(word if _PLAIN.fullmatch(word) else shlex.quote(word) for word in words)


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"
