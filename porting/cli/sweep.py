"""The options of `porting check` for many seeds, and what a sweep prints."""

import argparse
import sys
import time
from concurrent.futures import Executor
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

from porting.errors import PortingError


class SweepUsageError(PortingError, ValueError):
    """Options of a sweep contradict each other, or name no executor."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    group = parser.add_argument_group("many seeds")
    add = group.add_argument
    add("--seeds", type=seeds_of, metavar="A:B", help="every check with each seed from A on, up to B - 1")
    add("--log", type=Path, metavar="FILE.jsonl", help="write what is done as it is done, a line for one op and seed")
    add("--resume", action="store_true", help="go on with the log: what it has is not done again")
    add("--any-version", action="store_true", help="take a log, and workers, of other versions too")
    add(
        "--executor",
        metavar="WHERE",
        help="dask://HOST:PORT of a dask scheduler, or MODULE:FACTORY, a function that returns a "
        "concurrent.futures.Executor; its workers do the checks; by default --jobs processes here",
    )


def seeds_of(text: str) -> range:
    """Read ``0:100``, for argparse."""
    first, _, last = text.partition(":")
    if not (first.isdigit() and last.isdigit() and int(first) < int(last)):
        raise argparse.ArgumentTypeError(f"{text!r} is no range of seeds: A:B with 0 <= A < B, as in 0:100")
    return range(int(first), int(last))


def ensure_alone(args: argparse.Namespace) -> None:
    """Refuse options of a sweep without one, and those that a sweep does not have.

    Raises
    ------
    SweepUsageError
        If there is one.
    """
    own = {"--log": args.log, "--resume": args.resume, "--any-version": args.any_version, "--executor": args.executor}
    named = next((option for option, given in own.items() if given), None)
    if not args.seeds:
        if named:
            raise SweepUsageError(f"{named} is for a sweep over many seeds: give --seeds A:B too")
        return
    others = {"--seed": args.seed is not None, "--watch": args.watch, "--budget": args.budget, "-x": args.fail_fast}
    others |= {"--save": args.save, "--compare": args.compare}
    if other := next((option for option, given in others.items() if given), None):
        raise SweepUsageError(
            f"{other} and --seeds exclude each other: a sweep makes every check with every seed, once"
        )
    if args.resume and not args.log:
        raise SweepUsageError("--resume goes on with a log: name it, --log FILE.jsonl")


def run(args: argparse.Namespace) -> int:
    """Sweep, print the report of all seeds as one, write the files.

    Raises
    ------
    PortingError
        If what is asked for does not exist, or the log or the executor cannot be used.
    """
    from porting.cli import own
    from porting.cli.asked import asked, save, show
    from porting.cli.progress import Progress
    from porting.cli.smallest import smallest
    from porting.sweep.sweep import sweep

    began = time.monotonic()
    how = {name: value for name, value in asked(args).items() if name not in {"seed", "budget", "fail_fast"}}
    with ExitStack() as stack:
        executor = stack.enter_context(_opened(args.executor)) if args.executor else None
        progress = stack.enter_context(Progress("units", quiet=args.quiet))
        done = 0

        def step(now: int) -> None:
            nonlocal done
            progress.step(now - done)
            done = now

        found = sweep(
            own.pair_of(args) or args.names or None, seeds=args.seeds, executor=executor, log=args.log,
            resume=args.resume, any_version=args.any_version, on_start=progress.start, on_chunk=step, **how,
        )  # fmt: skip
    show(found.report, args, time.monotonic() - began)
    print(f"{len(args.seeds):,} seeds: {found.cases:,} checks, {found.done:,} of {found.chunks:,} units done")
    if args.executor:
        print(f"Units by machine: {', '.join(f'{name} {count:,}' for name, count in sorted(found.where.items()))}")
    if found.broken:
        print(f"porting: the executor broke ({found.broken}); what was done is above", file=sys.stderr)
    if found.report.interrupted and args.log:
        print(f"The same command with --resume goes on from {args.log}")
    save(found.report, args)
    if not found.report.interrupted:
        for command in smallest(found.report, timeout=args.timeout, strict=args.strict):
            print(f"Smaller: {command}")
    return found.report.exit_code


def _opened(name: str) -> AbstractContextManager[Executor]:
    from porting.sweep.cluster import PREFIX, connected

    return connected(name) if name.startswith(PREFIX) else executor_of(name)


def executor_of(name: str) -> Executor:
    """Return the executor that a function makes.

    Raises
    ------
    PortingError
        If there is no such function, it raises, or what it returns is none.
    """
    from porting.loading import load

    factory = load(name, "executor")
    try:
        executor = factory()
    except Exception as error:  # whatever a user's function raises
        raise SweepUsageError(f"--executor {name}: it raised {type(error).__name__}: {error}") from error
    if not isinstance(executor, Executor):
        raise SweepUsageError(
            f"--executor {name}: returned {type(executor).__name__}; a function that returns a "
            "concurrent.futures.Executor is wanted"
        )
    return executor
