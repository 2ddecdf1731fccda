"""Check ops against their contract on every installed backend."""

import argparse
import time
from pathlib import Path
from typing import Final

from porting.cli import history, own, sweep
from porting.cli.asked import asked, save, show
from porting.cli.numbers import amount, natural, positive
from porting.files import ensure_writable
from porting.report.html.environment import ensure_templates

_SHORTER: Final = (
    "--budget SECONDS ends in time, values and gradients first; -k vjp asks for the gradients alone; "
    "smaller arrays (--input) are faster"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``porting check``."""
    add = parser.add_argument
    add("names", nargs="*", metavar="OP|FAMILY|FILE.toml", help="what to check; everything when left out")
    own.add_arguments(parser)
    add("--runner", action="append", default=[], help="oracle, torch or tf (repeatable); all installed ones by default")
    add("--device", action="append", default=[], help="cpu or gpu (repeatable); all that are there by default")
    add(
        "--dtype",
        action="append",
        default=[],
        help="float16, bfloat16, float32 or float64 (repeatable); by default all, for a pair float32 and float64",
    )
    add(
        "--mode",
        action="append",
        default=[],
        help="eager, function, xla, …, or all (repeatable); by default eager, and what is asked in a graph",
    )
    add("-k", dest="keyword", default="", metavar="TEXT", help="only checks whose id contains this text")
    add("-x", dest="fail_fast", action="store_true", help="stop at the first difference")
    add("--strict", action="store_true", help="of a pair: count a note, which may be meant so, as a difference")
    add("--seed", type=natural, help="inputs and cotangents follow from it (0, or that of the recording)")
    add("--jobs", type=positive, default=1, metavar="N", help="worker processes (1: none)")
    add("--timeout", type=amount, default=60.0, metavar="SECONDS", help="for one check in a worker process (60)")
    add("--memory", type=amount, default=8.0, metavar="GIB", help="that a worker process may take (8)")
    add("--budget", type=amount, metavar="SECONDS", help="for all checks: what is over it is left out, and said")
    add("--known", type=Path, metavar="FILE", help="accepted differences: TOML, each with reason, link and expiry")
    add(
        "--watch",
        action="store_true",
        help="for a pair of your own: check again when a file is saved; Ctrl-C ends, with the last run's exit code",
    )
    history.add_arguments(parser)
    add("--json", type=Path, metavar="FILE", help="write the report as JSON")
    add("--html", type=Path, metavar="FILE", help="write the report as one page that can be sent to anybody")
    add("--junitxml", type=Path, metavar="FILE", help="write the report as JUnit XML")
    add("--svg", type=Path, metavar="FILE", help="write the verdict table as a picture")
    add(
        "--format",
        choices=["text", "github"],
        default="text",
        help="github: add annotations for the worst ten findings, and a summary of the step",
    )
    sweep.add_arguments(parser)
    volume = parser.add_mutually_exclusive_group()
    volume.add_argument("-q", "--quiet", action="store_true", help="findings and the last line only")
    volume.add_argument("-v", "--verbose", action="store_true", help="every check on a line of its own")


def run(args: argparse.Namespace) -> int:
    """Run the checks, print the report, write the files."""
    files = {"--json": args.json, "--html": args.html, "--junitxml": args.junitxml, "--svg": args.svg}
    for option, path in files.items():
        if path:
            ensure_writable(path, option)
    if args.html:
        ensure_templates("--html")
    sweep.ensure_alone(args)
    then = history.before(args, "check")
    if args.seeds:
        return sweep.run(args)
    if args.watch:
        from porting.cli.watch import watch

        return watch(args)
    from porting.cli.progress import Progress
    from porting.engine.check import check
    from porting.parity.report import Report
    from porting.report.since import lines, since

    began, pair = time.monotonic(), own.pair_of(args)
    with Progress("checks", quiet=args.quiet, shorter=_SHORTER if pair and not args.budget else "") as progress:
        report = check(
            pair or args.names or None,
            **asked(args),
            on_start=progress.start,
            on_result=lambda _: progress.step(),
        )
    show(report, args, time.monotonic() - began)
    save(report, args)
    for line in history.told(then, lambda text, title: lines(since(Report.from_json(text), report), title)):
        print(line)
    said = history.keep(args, "check", report.to_json(), interrupted=report.interrupted)
    if said:
        print(said)
    return report.exit_code
