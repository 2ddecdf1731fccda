"""The options of `porting check` that name a pair of the user's own."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from porting.backends import BACKENDS, CATALOGUED

if TYPE_CHECKING:
    from porting.pairs.pair import Pair


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    own = parser.add_argument_group(
        "a pair of your own",
        "Functions are named package.module:function or path/to/file.py:function; a torch.autograd.Function, a module "
        "or a layer may be named too. They run in worker processes.",
    )
    add = own.add_argument
    for key, backend in BACKENDS.items():
        add(f"--{key}", metavar="FUNCTION", help=f"the {backend.title} side")
    add("--oracle", metavar="OP", help="the truth, made with @porting.op; without it each side is the other's truth")
    add("--like", metavar="FUNCTION", help="the plain version that is replaced, the truth in float64; tf:… or torch:…")
    add_circumstances(own)
    add("--against", metavar="FILE", help="a recording in place of the other side, see `porting record`")
    add(
        "--weights",
        action="append",
        default=[],
        metavar="torch:weight=tf:kernel",
        help="which parameters of two modules belong together, where names and shapes do not tell (repeatable)",
    )
    add("--reference", choices=list(BACKENDS), help="the side that is ported from: only the other one is judged by it")


def add_call(own: "argparse._ArgumentGroup") -> None:  # the only name that it has
    """Add the options that say what a function is called with."""
    add = own.add_argument
    add(
        "--input",
        action="append",
        default=[],
        metavar="x=float64[3,4]",
        help="an input, in order; p=simplex[n,k], m=float64[n]{0,1} (repeatable)",
    )
    add("--static", action="append", default=[], metavar="axis=-1", help="a Python argument, by name (repeatable)")


def add_circumstances(own: "argparse._ArgumentGroup") -> None:
    """Add the options that say what a function is called with, and where it runs."""
    add_call(own)
    add = own.add_argument
    add(
        "--contract",
        action="append",
        default=[],
        metavar="order=1",
        help="what is promised: order, linear, complex, nondiff=1 or wrt=x,y (repeatable)",
    )
    add(
        "--nondiff",
        action="append",
        dest="contract",
        type=lambda outputs: f"nondiff={outputs}",
        metavar="1,2",
        help="outputs without a gradient, counted from 0: compared as values; short for --contract nondiff=1,2",
    )
    add(
        "--rename",
        action="append",
        default=[],
        metavar="tf:dim=axis",
        help="what a side calls a static, or an input, that the first side calls otherwise (repeatable)",
    )
    add(
        "--axes",
        action="append",
        default=[],
        metavar="tf:x=0,2,3,1",
        help="the order in which a side has the axes of an input, or of `output`: channels last, say (repeatable)",
    )
    add("--surrogate-of", metavar="FUNCTION", help="the NumPy function that the gradient is meant to be of")
    for key in CATALOGUED:
        where = f"another interpreter, in which --{key} runs: its path or command"
        add(f"--{key}-python", metavar="PYTHON", help=where)


def pair_of(args: argparse.Namespace) -> "Pair | list[Pair] | None":
    """Return the pair that the options name, or nothing; for a recording of the catalogue, all of its ops.

    If a list of pairs is checked against a recording, each pair has the side that is not recorded.

    Raises
    ------
    PortingError
        If they contradict each other, or cannot be read.
    """
    from porting.pairs.options import OPTIONS, pair_from

    given = [name for name in OPTIONS if getattr(args, name, None) not in (None, [])]  # "" is given, and wrong
    if not given:
        return listed_of(args.names)
    from porting.errors import PairError

    if given == ["against"]:
        listed = listed_of(args.names)
        return _recorded(args.against, args.names) if listed is None else _ported_to(listed, args.against)
    if args.names:
        option = given[0].replace("_", "-")
        raise PairError(f"{' '.join(args.names)} and --{option}: ops of the catalogue, or a pair of your own, not both")
    return pair_from({name: getattr(args, name) for name in OPTIONS if hasattr(args, name)})


def listed_of(names: list[str]) -> "list[Pair] | None":
    """Return the pairs of the files among the names; nothing if no name is a file.

    Raises
    ------
    PortingError
        If a file cannot be read, or if files and ops of the catalogue are named together.
    """
    files = [name for name in names if name.endswith(".toml")]
    if not files:
        return None
    from porting.errors import PairError
    from porting.pairs.listed import listed_pairs

    other = next((name for name in names if name not in files), None)
    if other:
        raise PairError(f"{other} beside {files[0]}: ops of the catalogue, or files of pairs of your own, not both")
    return [pair for file in files for pair in listed_pairs(Path(file))]


def _ported_to(pairs: "list[Pair]", path: str) -> "list[Pair]":
    from porting.pairs.ported import ported_to

    return [ported_to(pair, path) for pair in pairs]


def _recorded(path: str, names: list[str]) -> "list[Pair]":
    """Return the ops of the catalogue that a recording holds, or those of these names."""
    from porting import registry
    from porting.pairs.pair import Pair
    from porting.pairs.replay import recorded_oracles
    from porting.recordings.file import RecordingError

    held = recorded_oracles(Path(path))
    ops = registry.select(names or held)
    for op in ops:
        if op.name not in held:
            raise RecordingError(f"{path}: does not hold {op.name}; it holds: {', '.join(held)}")
    return [
        Pair(
            sides={key: str(op.twin_path(key)) for key in CATALOGUED},
            oracle=f"{op.module}:{op.name}",
            against=path,
            name=op.name,
        )
        for op in ops
    ]
