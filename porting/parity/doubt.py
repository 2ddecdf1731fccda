"""Whether the side that stands in for the truth is at fault by itself, as a whole run would find out."""

from dataclasses import replace
from functools import lru_cache

from porting.errors import PortingError, RunnerError
from porting.pairs.pair import Pair
from porting.parity.plan import Task
from porting.parity.run import run
from porting.parity.sides import LAWS, breaks


def is_doubted(task: Task, seed: int) -> bool:
    """Tell whether the other side of a pair breaks a law of gradients that the side of a task keeps.

    Where somebody said what is right, or the other side cannot be asked here, nothing is doubted.
    """
    pair = task.op
    if not isinstance(pair, Pair) or pair.in_catalogue or len(pair.compared) != 2 or pair.answers:
        return False
    if pair.oracle is not None or pair.against is not None or pair.reference or pair.like is not None:
        return False
    other = next(key for key in pair.compared if key != task.runner)
    return _breaks(task, other, seed) and not _breaks(task, task.runner, seed)


@lru_cache(maxsize=32)
def _breaks(task: Task, runner: str, seed: int) -> bool:
    asked = replace(task, runner=runner, device="cpu", mode="eager", dtype=task.op.widest)
    try:
        return any(breaks([run(replace(asked, check=law), seed)], law) for law in LAWS)
    except RunnerError:
        raise
    except PortingError:
        return False
