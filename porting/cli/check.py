"""Check ops against their contract on every installed backend."""

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from porting.cli import own
from porting.cli.numbers import amount, natural, positive
from porting.files import ensure_writable, write

if TYPE_CHECKING:
    from porting.parity.report import Report

_TITLE: Final = "Against the NumPy oracle and the contract"
_RECORDED: Final = "Against the recording and the contract"
_PAIR: Final = "Each side against the other one in float64, and against its own forward"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``porting check``."""
    add = parser.add_argument
    add("names", nargs="*", metavar="OP|FAMILY", help="what to check; everything when left out")
    own.add_arguments(parser)
    add("--runner", action="append", default=[], help="oracle, torch or tf (repeatable); all installed ones by default")
    add("--device", action="append", default=[], help="cpu or gpu (repeatable); all that are there by default")
    add(
        "--dtype",
        action="append",
        default=[],
        help="float16, bfloat16, float32 or float64 (repeatable); by default all, for a pair float32 and float64",
    )
    add("--mode", action="append", default=[], help="eager, function or xla (repeatable); eager by default")
    add("-k", dest="keyword", default="", metavar="TEXT", help="only checks whose id contains this text")
    add("-x", dest="fail_fast", action="store_true", help="stop at the first difference")
    add("--seed", type=natural, help="inputs and cotangents follow from it (0, or that of the recording)")
    add("--jobs", type=positive, default=1, metavar="N", help="worker processes (1: none)")
    add("--timeout", type=amount, default=60.0, metavar="SECONDS", help="for one check in a worker process (60)")
    add("--memory", type=amount, default=8.0, metavar="GIB", help="that a worker process may take (8)")
    add("--known", type=Path, metavar="FILE", help="accepted differences: TOML, each with reason, link and expiry")
    add("--json", type=Path, metavar="FILE", help="write the report as JSON")
    add("--junitxml", type=Path, metavar="FILE", help="write the report as JUnit XML")
    add("--svg", type=Path, metavar="FILE", help="write the verdict table as a picture")
    add(
        "--format",
        choices=["text", "github"],
        default="text",
        help="github: add annotations for the worst ten findings, and a summary of the step",
    )
    volume = parser.add_mutually_exclusive_group()
    volume.add_argument("-q", "--quiet", action="store_true", help="findings and the last line only")
    volume.add_argument("-v", "--verbose", action="store_true", help="every check on a line of its own")


def run(args: argparse.Namespace) -> int:
    """Run the checks, print the report, write the files."""
    from porting.cli.progress import Progress
    from porting.engine.check import check

    for option, path in {"--json": args.json, "--junitxml": args.junitxml, "--svg": args.svg}.items():
        if path:
            ensure_writable(path, option)
    began = time.monotonic()
    with Progress("checks", quiet=args.quiet) as progress:
        report = check(
            own.pair_of(args) or args.names or None,
            runners=args.runner,
            devices=args.device,
            modes=args.mode or ["eager"],
            dtypes=args.dtype,
            keyword=args.keyword,
            seed=args.seed,
            jobs=args.jobs,
            timeout=args.timeout,
            memory=args.memory,
            known_differences=args.known,
            fail_fast=args.fail_fast,
            on_start=progress.start,
            on_result=lambda _: progress.step(),
        )
    _print(report, args, time.monotonic() - began)
    _write(report, args)
    return report.exit_code


def _print(report: "Report", args: argparse.Namespace, seconds: float) -> None:
    from rich.console import Console

    from porting.parity.report import EXIT_NOTHING
    from porting.report import text
    from porting.report.annotations import github
    from porting.report.step_summary import summarize

    console = Console()
    for line in report.described:
        console.print(f"checked: {line}", markup=False, soft_wrap=True)
    if args.verbose:
        for result in report.results:
            console.print(text.result_line(result), soft_wrap=True)
    if not args.quiet and report.results:
        title = _RECORDED if args.against else _PAIR if report.described and not args.oracle else _TITLE
        console.print(text.verdict_table(report, title), text.legend(report), "", sep="\n")
    console.print(text.findings(report, every=args.verbose), soft_wrap=True)
    if not args.quiet:
        console.print(text.notes(report), "", text.PROOF, sep="\n")
    console.print(f"{report.summary}, {seconds:.1f} s.", soft_wrap=True)
    if report.exit_code == EXIT_NOTHING:
        reasons = "; ".join(f"{name}: {reason}" for name, reason in report.missing.items())
        console.print(f"Nothing was compared with the oracle ({reasons}).", soft_wrap=True, markup=False)
    if args.format == "github":
        print(github(report))
        summarize(report)


def _write(report: "Report", args: argparse.Namespace) -> None:
    from porting.cli.picture import write_svg
    from porting.report import text
    from porting.report.junit import junit

    if args.json:
        write(args.json, report.to_json() + "\n", "--json")
    if args.junitxml:
        write(args.junitxml, junit(report), "--junitxml")
    if args.svg:
        write_svg(args.svg, "porting check", text.verdict_table(report, _TITLE), text.legend(report))
