"""The options of `porting check` that name a pair of the user's own."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from porting.contract import Contract
    from porting.pairs.array import Array
    from porting.pairs.pair import Pair

_OPTIONS = (
    "torch", "tf", "oracle", "input", "static", "surrogate_of", "like", "reference", "contract", "torch_python",
    "tf_python", "against", "weights",
)  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    own = parser.add_argument_group(
        "a pair of your own",
        "Functions are named package.module:function or path/to/file.py:function; a torch.autograd.Function, a module "
        "or a layer may be named too. They run in worker processes.",
    )
    add = own.add_argument
    add("--torch", metavar="FUNCTION", help="the PyTorch side")
    add("--tf", metavar="FUNCTION", help="the TensorFlow side")
    add("--oracle", metavar="OP", help="the truth, made with @porting.op; without it each side is the other's truth")
    add("--like", metavar="FUNCTION", help="the plain version that is replaced, the truth in float64; tf:… or torch:…")
    add_circumstances(own)
    add("--against", metavar="FILE", help="a recording in place of the other side, see `porting record`")
    add(
        "--weights", action="append", default=[], metavar="torch:weight=tf:kernel",
        help="which parameters of two modules belong together, where names and shapes do not tell (repeatable)",
    )  # fmt: skip
    add("--reference", choices=["torch", "tf"], help="the side that is ported from: only the other one is judged by it")


def add_call(own: "argparse._ArgumentGroup") -> None:  # the only name that it has
    """Add the options that say what a function is called with."""
    add = own.add_argument
    add("--input", action="append", default=[], metavar="x=float64[3,4]", help="an input, in order (repeatable)")
    add("--static", action="append", default=[], metavar="axis=-1", help="a Python argument, by name (repeatable)")


def add_circumstances(own: "argparse._ArgumentGroup") -> None:
    """Add the options that say what a function is called with, and where it runs."""
    add_call(own)
    add = own.add_argument
    add(
        "--contract", action="append", default=[], metavar="order=1",
        help="what is promised: order, linear, complex or wrt=x,y (repeatable)",
    )  # fmt: skip
    add("--surrogate-of", metavar="FUNCTION", help="the NumPy function that the gradient is meant to be of")
    for key in ("torch", "tf"):
        where = f"another interpreter, in which --{key} runs: its path or command"
        add(f"--{key}-python", metavar="PYTHON", help=where)


def pair_of(args: argparse.Namespace) -> "Pair | list[Pair] | None":
    """Return the pair that the options name, or nothing if there are none; of a recording, all of the catalogue's.

    Raises
    ------
    PortingError
        If they contradict each other, or cannot be read.
    """
    given = [name for name in _OPTIONS if getattr(args, name) not in (None, [])]  # "" is given, and wrong
    if not given:
        return None
    from porting.errors import PairError
    from porting.pairs.pair import Pair

    if given == ["against"]:
        return _recorded(args.against, args.names)
    if args.names:
        option = given[0].replace("_", "-")
        raise PairError(f"{' '.join(args.names)} and --{option}: ops of the catalogue, or a pair of your own, not both")
    if args.torch is None and args.tf is None:
        raise PairError(f"--{given[0].replace('_', '-')} without a side: give --torch FUNCTION, --tf FUNCTION or both")
    inputs, statics = call_of(args)
    contract = _contract_of(args)
    python = {key: path for key in ("torch", "tf") if (path := getattr(args, f"{key}_python")) is not None}
    for key, path in python.items():
        if getattr(args, key) is None:
            raise PairError(f"--{key}-python {path}: which function runs there? Give --{key} FUNCTION too")
    return Pair(
        torch=args.torch, tf=args.tf, oracle=args.oracle, inputs=inputs, statics=statics, contract=contract,
        surrogate_of=args.surrogate_of, like=args.like, reference=args.reference, python=python,
        against=args.against, weights=_weights_of(args.weights),
    )  # fmt: skip


def call_of(args: argparse.Namespace) -> "tuple[dict[str, Array], dict[str, Any]]":
    """Return the inputs and the statics that are given.

    Raises
    ------
    PairError
        If one cannot be read, or is given twice.
    """
    if not args.input and not args.static:
        return {}, {}
    from porting.errors import PairError
    from porting.pairs.parse import parse_input, parse_static

    inputs = [parse_input(text) for text in args.input]
    statics = [parse_static(text) for text in args.static]
    for option, names in (("--input", [name for name, _ in inputs]), ("--static", [name for name, _ in statics])):
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice:
            raise PairError(f"{option} {twice} is given twice")
    return dict(inputs), dict(statics)


def _weights_of(texts: list[str]) -> dict[str, str]:
    if not texts:
        return {}
    from porting.errors import PairError
    from porting.pairs.parse import parse_weights

    pairs = [parse_weights(text) for text in texts]
    for side in (0, 1):
        names = [pair[side] for pair in pairs]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise PairError(f"--weights: {twice} is given twice")
    return dict(pairs)


def _contract_of(args: argparse.Namespace) -> "Contract":
    from porting.contract import Contract
    from porting.errors import PairError
    from porting.pairs.parse import parse_promise

    for option in ("oracle", "against"):
        if args.contract and getattr(args, option) is not None:
            raise PairError(f"--contract {args.contract[0]}: with --{option} its own contract holds; leave one out")
    return Contract(**dict(map(parse_promise, args.contract)))


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
            torch=op.twin_path("torch"), tf=op.twin_path("tf"), oracle=f"{op.module}:{op.name}",
            against=path, name=op.name,
        )
        for op in ops
    ]  # fmt: skip
