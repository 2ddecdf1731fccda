"""Plans pairs without the sides whose framework cannot be imported: the others go on, each as a side alone."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from porting.errors import PairError
from porting.pairs.pair import Pair
from porting.parity.finding import Result
from porting.parity.plan import BrokenFrameworkError, Plan, Task
from porting.spec import Op


def planned(ops: Sequence[Op | Pair], plan_of: Callable[[Sequence[Op | Pair]], Plan]) -> tuple[Plan, dict[Task, str]]:
    """Return the plan, and what of it is lost with the reasons: a task for each side of a pair that cannot be had.

    Parameters
    ----------
    ops : sequence of Op or Pair
        What is asked for.
    plan_of : callable
        Makes a plan.

    Raises
    ------
    BrokenFrameworkError
        If nothing can be said of a pair without that side.
    """
    try:
        return plan_of(ops), {}
    except BrokenFrameworkError as error:
        broken = error.broken
        found = [(op, *_without(op, error)) for op in ops]
    rest = [left for _, left, _ in found if left is not None]
    agenda = plan_of(rest) if rest else Plan((), {})
    lost = {
        Task(left or op, "value", key, "cpu", "eager", op.widest): broken[key]
        for op, left, gone in found
        for key in gone
    }
    return replace(agenda, tasks=(*lost, *agenda.tasks), missing={**agenda.missing, **broken}), lost


def _without(op: Op | Pair, error: BrokenFrameworkError) -> tuple[Op | Pair | None, list[str]]:
    """Return a pair of the sides that can be had, nothing if there is none, and the sides that cannot."""
    if not isinstance(op, Pair) or op.against is not None:
        raise error
    gone = [key for key in op.sides if key in error.broken and key not in op.python]
    left = [key for key in op.sides if key not in gone]
    if not gone or not left:
        return (op, []) if not gone else (None, gone)
    try:
        return op.only(*left), gone
    except PairError:  # what else is said is about the side that is gone
        raise error from None


def undecided(lost: Mapping[Task, str], seed: int) -> Iterator[tuple[Task, Result]]:
    """Yield the results of what is lost: no verdict, with the reason."""
    for task, why in lost.items():
        yield task, Result(
            task.op.name, task.check, task.runner, task.device, task.mode, task.dtype, seed, "no verdict", why,
            target=task.target,
        )  # fmt: skip
