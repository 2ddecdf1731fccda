"""What a worker does: it fills the cells of some ops in some modes of one framework, one after the other."""

from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import dataclass

from porting.engine.group import Described
from porting.errors import PortingError, UnsaidError
from porting.pairs.pair import Pair
from porting.parity.narrow import narrow, types_are_guessed
from porting.runners import runner_of
from porting.runners.base import on_stage
from porting.runners.fresh import allow
from porting.spec import Op
from porting.survive.cell import Cell, cell


@dataclass(frozen=True)
class Job:
    """These ops, in these modes of a framework, with numbers that follow from a seed; and the seconds for one cell."""

    ops: tuple[Op | Pair, ...]
    key: str
    modes: tuple[str, ...]
    seed: int
    timeout: float


def answer(
    left: tuple[Job, int], announce: Callable[[str], None]
) -> Generator[Cell | Described | PortingError, None, None]:
    """Yield one cell after the other, from a number on; an error of the user's is returned, not raised."""
    on_stage(announce)
    job, begun = left
    allow(job.timeout / 2)  # a fresh process is started too
    places = [(target, mode) for target in job.ops for mode in job.modes][begun:]
    known: dict[str, Op] = {}
    try:
        for target, mode in places:
            if target.name not in known:
                known[target.name] = yield from _side(target, job.key)
            announce(mode)
            yield cell(known[target.name], job.key, mode, job.seed)
    except PortingError as error:
        yield error


def _side(target: Op | Pair, key: str) -> Generator[Described, None, Op]:
    """Return the op of one side; the inputs of a pair are guessed where nobody said what it takes."""
    if isinstance(target, Op):
        return target
    pair, how = target, ""
    with suppress(UnsaidError):
        if guess := target.guess():
            pair, how = guess.pair, str(guess)
            types_are_guessed(pair)
    if not pair.in_catalogue:
        yield Described(pair.name, pair.described(how))
    op = pair.alone(key, runner_of(pair, key))
    op.narrow = narrow(pair)  # who takes float32 only is asked in it
    return op
