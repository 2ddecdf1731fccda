"""Reads the options of `porting check`: how to check, what to print, which files to write."""

import argparse
from typing import TYPE_CHECKING, Any, Final

from porting.files import write

if TYPE_CHECKING:
    from porting.parity.report import Report

_TITLE: Final = "Against the NumPy oracle and the contract"
_RECORDED: Final = "Against the recording and the contract"
_LIKE: Final = "Against the plain version"
_LISTED: Final = "Each side against what its pair says is true, else against the other one, in float64"
_PAIR: Final = "Each side against the other one in float64"
_NARROW: Final = "Each side against the other one in the widest type that it takes"
_OWN: Final = ", and against its own forward"


def asked(args: argparse.Namespace) -> dict[str, Any]:
    """Return the options as arguments of `porting.check`."""
    return {
        "runners": args.runner,
        "devices": args.device,
        "modes": args.mode,
        "dtypes": args.dtype,
        "keyword": args.keyword,
        "seed": args.seed,
        "jobs": args.jobs,
        "timeout": args.timeout,
        "memory": args.memory,
        "budget": args.budget,
        "known_differences": args.known,
        "fail_fast": args.fail_fast,
        "strict": args.strict,
    }


def _title(args: argparse.Namespace, report: "Report") -> str:
    """Return what the sides were compared with."""
    if args.against:
        return _RECORDED
    if args.like:
        return f"{_LIKE} {args.like} in float64"
    if any(name.endswith(".toml") for name in args.names):
        return _LISTED
    if not report.described or args.oracle:
        return _TITLE
    pair = _PAIR if any(r.compared for r in report.results if r.dtype == "float64") else _NARROW
    return f"{pair}{_OWN}" if any(r.compared for r in report.results if r.check == "adjoint") else pair


def show(report: "Report", args: argparse.Namespace, seconds: float) -> None:
    """Print a report."""
    from porting.cli.console import console as console_of
    from porting.parity.report import EXIT_NOTHING
    from porting.report import text
    from porting.report.annotations import github
    from porting.report.step_summary import summarize
    from porting.report.verdicts import Verdicts

    console = console_of()
    for line in report.described:
        console.print(f"checked: {line}", markup=False, soft_wrap=True)
    if args.verbose:
        for result in report.results:
            console.print(text.result_line(result, letters=console.options.ascii_only), soft_wrap=True)
    if not args.quiet and report.results:
        console.print(Verdicts(report, _title(args, report)), "", sep="\n", crop=False)
    console.print(text.findings(report, every=args.verbose), soft_wrap=True)
    if not args.quiet:
        console.print(text.notes(report), "", text.PROOF, sep="\n")
    console.print(f"{report.summary}, {seconds:.1f} s.", soft_wrap=True)
    if report.exit_code == EXIT_NOTHING:
        absent = "; ".join(f"{name}: {reason}" for name, reason in report.missing.items())
        said = [f"No verdict on the {why}" for why in report.undecided.values()]
        for line in said or [f"Nothing was compared ({absent})."]:
            console.print(line, soft_wrap=True, markup=False)
    if args.format == "github":
        print(github(report))
        summarize(report)


def save(report: "Report", args: argparse.Namespace) -> None:
    """Write the files that are asked for."""
    from porting.cli.picture import write_svg
    from porting.report.junit import junit
    from porting.report.verdicts import Verdicts

    if args.json:
        write(args.json, report.to_json() + "\n", "--json")
    if args.html:
        from porting.report.html.check import page

        write(args.html, page(report), "--html")
    if args.junitxml:
        write(args.junitxml, junit(report), "--junitxml")
    if args.svg:
        write_svg(args.svg, "porting check", Verdicts(report, _TITLE))
