"""What `porting bench` measures: ops of the catalogue or pairs of the user's own, in which modes."""

import argparse

from porting import registry
from porting.bench.modes import available, backend_of
from porting.cli import own
from porting.pairs.pair import Pair
from porting.parity.plan import UsageError
from porting.spec import Op


def measured(args: argparse.Namespace) -> tuple[list[Op], list[Pair], list[str], dict[str, str]]:
    """Return ops or pairs, the modes, and why a framework is left out.

    Raises
    ------
    PortingError
        If what is asked for does not exist here, or a pair cannot be measured, or not so.
    """
    given = own.pair_of(args) or []
    pairs = given if isinstance(given, list) else [given]
    modes, missing = available(args.mode, args.dtype, args.device)
    if not pairs:
        return registry.select(args.names), [], modes, missing
    if any(pair.against is not None or pair.python for pair in pairs):
        raise UsageError("porting bench measures here: a recording or another interpreter has no times")
    if args.check or args.markdown:
        option, names = "--check" if args.check else "--markdown", ", ".join(pair.name for pair in pairs)
        raise UsageError(f"{option} is for the catalogue and its bounds, not for {names}; --compare tells what changed")
    sides = {key for pair in pairs for key in pair.compared}
    mine = [mode for mode in modes if backend_of(mode) in sides]
    if not mine:
        absent = "; ".join(reason for key, reason in missing.items() if key in sides)
        raise UsageError(f"{', '.join(pair.name for pair in pairs)} has no side for {absent or ', '.join(args.mode)}")
    return [], pairs, mine, {key: reason for key, reason in missing.items() if key in sides}
