"""Translate custom gradients to the other framework, and prove the translations."""

import argparse
import os
import sys
from dataclasses import replace
from itertools import count
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from porting.cli import own
from porting.cli.numbers import amount, positive
from porting.files import ensure_writable, write
from porting.translate.dialects import DIALECTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from porting.pairs.pair import Pair
    from porting.port.batch import Ports
    from porting.port.discover import Unit
    from porting.port.one import Port


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``porting translate``."""
    add = parser.add_argument
    add(
        "source",
        metavar="FILE[:NAME]|DIR|FILE.toml",
        help="every custom gradient of a file, one of them, those of a folder, or the sides of a list of pairs",
    )
    add("--to", required=True, choices=sorted(DIALECTS, reverse=True), help="numpy: a draft of an oracle")
    add("-o", dest="output", metavar="OUT", help="write there: a file, or a folder with a file per source")
    add(
        "--check",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="prove each translation, in worker processes; by default if both frameworks are installed",
    )
    add(
        "--transparent",
        action="append",
        default=[],
        metavar="NAME",
        help="a decorator in the source that changes no number (repeatable); without this an unknown one is refused",
    )
    own.add_call(parser.add_argument_group("what a single gradient is checked with, if not what its signature says"))
    add(
        "--dtype",
        action="append",
        default=[],
        choices=["float16", "bfloat16", "float32", "float64"],
        help="check in this type (repeatable); float32 and float64 by default",
    )
    add("--timeout", type=amount, default=60.0, metavar="SECONDS", help="for one check in a worker process (60)")
    add("--budget", type=amount, default=inf, metavar="SECONDS", help="for all checks of one gradient")
    add("--jobs", type=positive, default=1, metavar="N", help="worker processes that check (1)")
    add("--round-trip", action="store_true", help="translate the translation back, and prove that too")
    add("--partial", action="store_true", help="hand over what has refused calls; they raise when they are reached")
    add("--json", type=Path, metavar="FILE", help="write what became of each gradient as JSON")
    add("--html", type=Path, metavar="FILE", help="write it as a page with both sources side by side")
    add("-q", "--quiet", action="store_true", help="say only what is not proven, and no progress")


def run(args: argparse.Namespace) -> int:
    """Translate, check, write what is handed over, and say what became of each gradient."""
    from porting.cli.progress import Progress
    from porting.port.batch import port_all
    from porting.port.options import Checking

    for option, path in {"--json": args.json, "--html": args.html}.items():
        if path:
            ensure_writable(path, option)
    units, unread, pairs = _units(args)
    _ensure_possible(args, units)
    units = [replace(unit, transparent=tuple(args.transparent)) for unit in units]
    places = _places(args, units)
    inputs, statics = _called_with(args)
    how = Checking(inputs, statics, args.dtype, args.timeout, args.jobs, args.budget)
    with Progress("gradients", quiet=args.quiet) as progress:
        ports = port_all(
            units, unread, check=args.check, partial=args.partial, round_trip=args.round_trip,
            how=[replace(how, inputs=pair.inputs, statics=pair.statics) for pair in pairs] or how,
            on_start=progress.start, on_port=lambda _: progress.step(),
            on_check=lambda unit, done, total: progress.within(f"{done} of {total} checks of {unit.name}"),
        )  # fmt: skip
    written = [] if _is_many(args) and not places else _hand_over(ports, units, places)
    _say(ports, args, written)
    _write(ports, args)
    return ports.exit_code


def _called_with(args: argparse.Namespace) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what a gradient is checked with; what describes an array needs NumPy, which a translation does not."""
    if not args.input and not args.static:
        return {}, {}
    from porting.pairs.options import called_with

    return called_with(args.input, args.static)


def _is_list(args: argparse.Namespace) -> bool:
    source: str = args.source
    return source.endswith(".toml")


def _is_many(args: argparse.Namespace) -> bool:
    """Whether the source is a folder or a list of pairs."""
    return _is_list(args) or os.path.isdir(args.source)  # noqa: PTH112 - pathlib raises for some names


def _units(args: argparse.Namespace) -> "tuple[list[Unit], list[str], list[Pair]]":
    """Return what to translate, what is said of files that cannot be read, and the pairs that were listed."""
    from porting.port.batch import find
    from porting.port.discover import units_of

    path = Path(args.source)
    if _is_list(args):
        from porting.port.listed import units_of_pairs

        found, unread = units_of_pairs(path, args.to)
        return list(found), unread, list(found.values())
    if _is_many(args):
        return *find(path, args.to, Path(args.output) if args.output else None), []
    name = ""
    if ":" in args.source and not os.path.lexists(path):
        file, _, name = args.source.rpartition(":")
        path = Path(file)
    return units_of(path, name, args.to), [], []


def _ensure_possible(args: argparse.Namespace, units: "Sequence[Unit]") -> None:
    """Refuse what cannot be meant."""
    from porting.errors import PairError
    from porting.port.options import lacking

    option = "--input" if args.input else "--static"
    if _is_list(args) and (args.input or args.static):
        raise PairError(f"{option} with {args.source}: what a pair is called with stands in the file")
    if len(units) != 1 and (args.input or args.static):
        names = ", ".join(unit.name for unit in units[:5])
        raise PairError(f"{option} is for one gradient, and {args.source} has {len(units)}: give FILE:NAME ({names})")
    if args.to == "numpy" and (args.check or args.round_trip):
        option = "--check" if args.check else "--round-trip"
        raise PairError(f"{option} --to numpy: an oracle is a draft until it has a contract; `porting check` proves it")
    if args.check and (lacks := lacking()):
        raise PairError(f"--check: {lacks}")


def _places(args: argparse.Namespace, units: "Sequence[Unit]") -> dict[Path, Path]:
    """Return where the translation of each file goes; nothing without -o.

    Raises
    ------
    OutputError
        If it cannot be written there, or something else would be lost.
    """
    from porting.files import OutputError

    if not args.output:
        return {}
    out, source = Path(args.output), Path(args.source)
    files = list(dict.fromkeys(unit.path for unit in units))
    if not _is_many(args) and not (out.is_dir() or args.output.endswith(("/", "\\"))):
        if out.exists() and files and out.samefile(files[0]):
            raise OutputError(f"-o {out}: is the source itself; give another file")
        ensure_writable(out, "-o")
        return {files[0]: out}
    _ensure_folder(out, args.source)
    places = {file: out / _below(file, source) for file in files}
    for place in places.values():
        if place.exists():
            raise OutputError(f"-o {out}: {place} is there already; give another folder, or take it away")
    return places


def _below(file: Path, source: Path) -> str:
    """Return where a translation goes in the folder for it: as deep as its source in the folder of sources."""
    inside = os.path.relpath(file, source if source.is_dir() else source.parent)
    return file.name if inside.startswith("..") else inside


def _ensure_folder(out: Path, source: str) -> None:
    """Refuse a folder that could not be made or written to; leaves nothing behind."""
    from porting.files import OutputError

    there = next(folder for folder in (out, *out.absolute().parents) if folder.exists())
    if not there.is_dir():
        raise OutputError(f"-o {out}: {there} is a file; a folder is wanted for the translations of {source}")
    ensure_writable(there / "translation.py", "-o")


def _hand_over(ports: "Ports", units: "Sequence[Unit]", places: dict[Path, Path]) -> list[Path]:
    """Write the translations, or print them where no file is given; return what was written."""
    from porting.port.merge import merged

    by_file: dict[Path, list[Port]] = {}
    for unit, done in zip(units, ports.ports, strict=False):
        by_file.setdefault(unit.path, []).append(done)
    written: list[Path] = []
    for path, done_here in by_file.items():
        for number, text in enumerate(merged(path, done_here)):
            if not places:
                print(text, end="")
                continue
            place = places[path]
            if number:  # beside the first, where nothing is
                place = next(p for n in count(number + 1) if not (p := place.with_stem(f"{place.stem}_{n}")).exists())
            _make(place.parent)
            write(place, text, "-o")
            written.append(place)
    return written


def _make(folder: Path) -> None:
    from porting.files import OutputError

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"-o {folder}: cannot be made: {error.strerror or error}") from error


def _say(ports: "Ports", args: argparse.Namespace, written: "Sequence[Path]") -> None:
    from porting.cli.console import console
    from porting.report import ports as report

    if not _is_many(args):
        for done in ports.ports:
            if not (args.quiet and ports.is_good(done)):
                print(*report.lines(done), sep="\n", file=sys.stderr)
        if (ports.total > 1 and not args.quiet) or ports.interrupted:
            print(f"{ports.summary}.", file=sys.stderr)
        return
    lines: list[str] = []
    if args.quiet:
        lines = [line for done in ports.ports if not ports.is_good(done) for line in report.lines(done)]
    elif ports.ports:
        console().print(report.table(ports))
    lines += [*ports.unread, f"{ports.summary}."]
    lines += [f"{len(written)} file{'s' * (len(written) != 1)} in {args.output}."] if args.output else []
    print(*lines, sep="\n")


def _write(ports: "Ports", args: argparse.Namespace) -> None:
    if args.json:
        write(args.json, ports.to_json() + "\n", "--json")
    if args.html:
        from porting.report.html.ports import page

        write(args.html, page(ports), "--html")
