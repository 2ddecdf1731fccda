"""Record what one side answers, so that a port is checked without its framework."""

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING

from porting.backends import BACKENDS
from porting.cli.numbers import amount, natural, positive
from porting.cli.own import add_circumstances, pair_of

if TYPE_CHECKING:
    from porting.pairs.pair import Pair


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``porting record``."""
    add = parser.add_argument
    add(
        "names",
        nargs="*",
        metavar="OP|FAMILY|FILE.toml",
        help="whose oracles to record, the whole catalogue when left out; or a list of pairs, a side of each",
    )
    own = parser.add_argument_group(
        "a function of your own", "Named package.module:function or path/to/file.py:function. Give one."
    )
    for key, backend in BACKENDS.items():
        about = f"the {backend.title} side, if it is the one that is ported from"
        own.add_argument(f"--{key}", metavar="FUNCTION", help=about)
    add_circumstances(own)
    parser.set_defaults(oracle=None, like=None, reference=None, against=None, weights=[])  # which are of check alone
    add(
        "--reference",
        dest="side",
        choices=list(BACKENDS),
        help="of a list of pairs: the side that is ported from, where the list does not say",
    )
    add("-o", dest="output", type=Path, required=True, metavar="FILE", help="the recording, an .npz")
    add("--dtype", action="append", default=[], help="as for check (repeatable)")
    add("--mode", action="append", default=[], help="in which the recorded side itself is checked (eager; repeatable)")
    add("-k", dest="keyword", default="", metavar="TEXT", help="only for checks whose id contains this text")
    add("--seed", type=natural, default=0, help="inputs and cotangents follow from it (0)")
    add("--cases", type=positive, default=1, metavar="N", help="record so many seeds, from --seed on (1)")
    add("--jobs", type=positive, default=1, metavar="N", help="worker processes (1: none)")
    add("--timeout", type=amount, default=60.0, metavar="SECONDS", help="for one step in a worker process (60)")
    add("--memory", type=amount, default=8.0, metavar="GIB", help="that a worker process may take (8)")
    add("-q", "--quiet", action="store_true", help="say nothing")


def run(args: argparse.Namespace) -> int:
    """Record, and say how much."""
    from porting.cli.progress import Progress
    from porting.engine.record import record

    began = time.monotonic()
    with Progress("steps", quiet=args.quiet) as progress:
        record(
            _target(args), args.output, dtypes=args.dtype, modes=args.mode or ["eager"],
            keyword=args.keyword, seed=args.seed, cases=args.cases, jobs=args.jobs, timeout=args.timeout,
            memory=args.memory, on_start=progress.start, on_step=progress.step,
        )  # fmt: skip
    if not args.quiet:
        size = args.output.stat().st_size / 1e6
        print(f"{args.output}: {size:.1f} MB, {time.monotonic() - began:.1f} s.")
    return 0


def _target(args: argparse.Namespace) -> "Pair | list[Pair] | list[str] | None":
    """Return what is recorded: of each pair of a list, the side that is ported from."""
    from porting.errors import PairError

    found = pair_of(args)
    if isinstance(found, list):
        from porting.pairs.ported import ported_from

        return [ported_from(pair, args.side) for pair in found]
    if args.side:
        raise PairError(f"--reference {args.side}: which pairs? It is for a list of pairs, FILE.toml")
    return found or args.names or None
