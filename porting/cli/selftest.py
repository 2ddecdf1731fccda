"""Measure the checker itself: planted faults, mutants of our own twins, right ops."""

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from porting.backends import CATALOGUED
from porting.cli.numbers import natural, positive
from porting.files import ensure_writable, write

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from porting.selftest.correct import Correctness, OpRun
    from porting.selftest.score import Rate, Score, Trial
    from porting.selftest.survival import Survival

_WIDE: Final = 160  # of a table in a file or a pipe
_WAYS: Final = {"oracle": "with the oracle", "pair": "as a pair without it", "alone": "alone without it"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``porting selftest``."""
    add = parser.add_argument
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--mutants", action="store_true", help="which mutants of our own twins are found")
    what.add_argument(
        "--correct",
        nargs="?",
        type=positive,
        const=200,
        metavar="N",
        help="check right ops N times (200) per framework",
    )
    add("--runner", action="append", default=[], choices=CATALOGUED, help="both installed ones by default")
    add("--seeds", type=positive, metavar="N", help="how many seeds each planted fault is tried with (10)")
    add("--seed", type=natural, default=0, help="the first seed (0)")
    add("--toys", action="store_true", help="with --mutants: those of the toy ops too")
    add("-k", dest="keyword", default="", metavar="TEXT", help="only faults, or ops, whose name contains this text")
    add("--jobs", type=positive, default=1, metavar="N", help="worker processes (1: none)")
    add("--json", type=Path, metavar="FILE", help="write everything as JSON")
    add("-q", "--quiet", action="store_true", help="the sums only")


def run(args: argparse.Namespace) -> int:
    """Run what is asked for, print tables and sums, write the file."""
    from porting.cli.console import console as console_of
    from porting.cli.progress import Progress
    from porting.engine.devices import devices_elsewhere, importable
    from porting.parity.plan import UsageError, devices_here, installed

    if args.toys and not args.mutants:
        raise UsageError("--toys goes with --mutants")
    if args.seeds and (args.mutants or args.correct):
        raise UsageError("--seeds is for planted faults; --mutants takes one seed, --correct as many as it needs")
    if args.json:
        ensure_writable(args.json, "--json")
    there, missing = installed(args.runner)
    backends, broken = importable(
        [key for key in there if key != "oracle"],
        named=bool(args.runner),
        devices_of=devices_here if args.jobs == 1 else devices_elsewhere,
    )
    missing |= broken
    what = "judgements" if args.mutants else "op-runs" if args.correct else "trials"
    with Progress(what, quiet=args.quiet) as progress:
        outcome = _measured(args, backends, progress)
    console = console_of(width=None if sys.stdout.isatty() or "COLUMNS" in os.environ else _WIDE)
    show: Any = _show_survival if args.mutants else _show_correct if args.correct else _show_score
    show(outcome, console, quiet=args.quiet)
    for name, reason in missing.items():
        console.print(f"Not tried: {name}: {reason}", markup=False, soft_wrap=True)
    if outcome.interrupted:
        console.print("interrupted: the sums are those of what was done so far")
    if args.json:
        write(args.json, outcome.to_json() + "\n", "--json")
    code: int = outcome.exit_code
    return code


def _measured(args: argparse.Namespace, backends: list[str], progress: Any) -> Any:
    common = {
        "keyword": args.keyword,
        "jobs": args.jobs,
        "on_start": progress.start,
        "on_result": lambda _: progress.step(),
    }
    if args.mutants:
        from porting.selftest.survival import survival

        return survival(backends, toys=args.toys, seed=args.seed, **common)
    if args.correct:
        from porting.selftest.correct import correct

        return correct(backends, args.correct, seed=args.seed, **common)
    from porting.selftest.score import score

    return score(backends, range(args.seed, args.seed + (args.seeds or 10)), **common)


def _show_score(score: "Score", console: "Console", *, quiet: bool) -> None:
    from porting.backends import TITLES
    from porting.selftest.score import OURS

    for backend in dict.fromkeys(trial.backend for trial in score.trials):
        part = score.on(backend)
        if not quiet and part.faults:
            console.print(_faults(part, TITLES[backend]), _causes(part), sep="\n")
        console.print(f"[bold]{TITLES[backend]}[/]")
        if part.faults:
            for name, rate in part.detection.items():
                console.print(f"  {name:16} finds planted faults in {_sentence(rate)}", highlight=False, soft_wrap=True)
            console.print(
                f"  {OURS:16} names the right cause first in {_sentence(part.naming)}", highlight=False, soft_wrap=True
            )
        for name, rate in part.false_alarms.items():
            console.print(
                f"  {name:16} accuses what is right in {rate.hits} of {rate.runs} runs", highlight=False, soft_wrap=True
            )
        for trial in part.misled:
            console.print(f"  {trial.name}, seed {trial.seed}: the right side is accused", soft_wrap=True)
    _errors(console, [f"{t.name}, seed {t.seed}: {t.error}" for t in score.errors])


def _faults(part: "Score", title: str) -> "Table":
    from rich.markup import escape

    from porting.selftest.score import OURS

    peers = [name for name in part.detection if name != OURS]
    from porting.tables import table

    made = table(f"Planted faults in {title}")
    for column in ("fault", "what is wrong", "found", "cause wanted", "named first", *peers):
        longest = max(map(len, column.split()))  # of a heading that may be wrapped
        made.add_column(column, no_wrap=column in {"fault", "cause wanted"}, min_width=max(longest, 5))
    by_name: dict[str, list[Trial]] = {}
    for trial in part.faults:
        by_name.setdefault(trial.name, []).append(trial)
    for name, trials in by_name.items():
        first = trials[0]
        made.add_row(
            name.partition(".")[2],
            escape(first.about),
            _share([t.caught.get(OURS, False) for t in trials]),
            first.cause,
            _share([t.named for t in trials]),
            *(_share([t.caught[peer] for t in trials if peer in t.caught], plain=True) for peer in peers),
        )
    return made


def _causes(part: "Score") -> "Table":
    from porting.selftest.score import OURS
    from porting.tables import table

    made = table("By cause")
    for column in ("cause", "faults", "found", "named first", "named instead"):
        made.add_column(column)
    for cause in sorted({trial.cause for trial in part.faults}):
        trials = [trial for trial in part.faults if trial.cause == cause]
        instead = Counter(next(iter(t.causes), "nothing") for t in trials if not t.named)
        made.add_row(
            cause,
            str(len({t.name for t in trials})),
            _share([t.caught.get(OURS, False) for t in trials]),
            _share([t.named for t in trials]),
            ", ".join(f"{name} {count}" for name, count in instead.most_common()),
        )
    return made


def _show_survival(survival: "Survival", console: "Console", *, quiet: bool) -> None:
    from rich.markup import escape

    from porting.selftest.survival import WANTED, WAYS

    ways = [way for way in WAYS if survival.judged(way)]
    if not quiet:
        console.print(_by_twin(survival, ways), _by_check(survival, ways), sep="\n")
        survivors: dict[tuple[str, str, int], list[str]] = {}
        for v in survival.verdicts:
            if not v.killer and not v.error:
                survivors.setdefault((f"{v.file}:{v.line}", v.label, v.number), []).append(v.way)
        if survivors:
            console.print("[bold]Survivors[/]")
        for (where, label, _), left in survivors.items():
            console.print(f"  {where}  {escape(label)}  [dim]{', '.join(left)}[/]", soft_wrap=True, highlight=False)
    for way in ways:
        judged = survival.judged(way)
        wanted = f", {WANTED[way]:.0%} wanted" if way in WANTED else ""
        killed = sum(bool(v.killer) for v in judged)
        console.print(
            f"{_WAYS[way]:21} {killed} of {len(judged)} mutants killed, {survival.fraction(way):.1%}{wanted}",
            highlight=False,
        )
    _errors(console, survival.errors)


def _by_twin(survival: "Survival", ways: list[str]) -> "Table":
    from porting.tables import table

    made = table("Mutants killed")
    for column in ("twin", *(_WAYS[way] for way in ways)):
        made.add_column(column, no_wrap=column == "twin")
    for backend, op in dict.fromkeys((v.backend, v.op) for v in survival.verdicts):
        cells = [_share([bool(v.killer) for v in survival.judged(way, backend, op)]) for way in ways]
        made.add_row(f"{backend} {op}", *cells)
    return made


def _by_check(survival: "Survival", ways: list[str]) -> "Table":
    from porting.tables import table

    made = table("By the check that killed first")
    for column in ("check", *(_WAYS[way] for way in ways)):
        made.add_column(column)
    counts = {way: survival.killers(way) for way in ways}
    total: Counter[str] = sum(counts.values(), Counter())
    for name, _ in total.most_common():
        made.add_row(name, *(str(counts[way][name]) for way in ways))
    return made


def _show_correct(outcome: "Correctness", console: "Console", *, quiet: bool) -> None:
    from porting.backends import TITLES

    for backend in dict.fromkeys(run.backend for run in outcome.runs):
        part = outcome.on(backend)
        wrong = [run for run in part.runs if run.messages]
        for message in (message for run in wrong for message in run.messages if not quiet):
            console.print(message, markup=False, highlight=False, soft_wrap=True)
        console.print(
            f"{TITLES[backend]}: {len(part.runs)} op-runs of {len({run.op for run in part.runs})} right ops, "
            f"{sum(run.results for run in part.runs)} checks, {sum(run.compared for run in part.runs):,} comparisons: "
            f"{sum(len(run.messages) for run in wrong)} differ, in {len(wrong)} op-runs; "
            f"{sum(run.known for run in part.runs)} accepted differences; " + _largest(part.worst),
            highlight=False,
            soft_wrap=True,
        )
    _errors(console, [f"{run.backend} {run.op}, seed {run.seed}: {run.error}" for run in outcome.runs if run.error])


def _largest(worst: "OpRun | None") -> str:
    if worst is None:
        return "nothing accepted"
    return f"largest accepted error {worst.largest:.2f} of its tolerance ({worst.op} {worst.at}, seed {worst.seed})"


def _errors(console: "Console", errors: Iterable[str]) -> None:
    for error in errors:
        console.print(f"internal error: {error}", style="bold red", markup=False, highlight=False, soft_wrap=True)


def _share(hits: list[bool], *, plain: bool = False) -> str:
    """Return ``9/10``, red where it is not all unless the column is `plain`."""
    text = f"{sum(hits)}/{len(hits)}" if hits else "-"
    return text if plain or all(hits) else f"[bold red]{text}[/]"


def _sentence(rate: "Rate") -> str:
    return f"{rate.fraction:.1%} of {rate.runs} runs; {rate.whole} of {rate.names} with every seed"
