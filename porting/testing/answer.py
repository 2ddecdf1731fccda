"""The answer to one task, as a test wants it: pass, fail with the likely cause, or skip."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from porting.diagnosis.match import diagnose
from porting.errors import PortingError
from porting.pairs.pair import Pair
from porting.parity.blame import acquit
from porting.parity.finding import Diagnosis, Result
from porting.parity.plan import Task
from porting.parity.run import op_of, run
from porting.runners import RUNNERS


@dataclass(frozen=True)
class Answer:
    """One of `porting.parity.finding.STATUSES` or ``wrong use``; what there is to say; what the report keeps."""

    status: str
    text: str
    properties: dict[str, str | float]


def absent(keys: Iterable[str]) -> list[str]:
    """Return the reasons why runners cannot run here; one of another name is left to `plan`, which refuses it."""
    return [reason for key in keys if key in RUNNERS for reason in [RUNNERS[key].missing()] if reason]


def answer(task: Task, side: tuple[Task, ...], seed: int, accepted: str) -> Answer:
    """Run one task; where it differs, say why that is accepted, or name the likely cause.

    Parameters
    ----------
    task : Task
        What to run.
    side : tuple of Task
        All that is asked of the same runner, device and mode: one finding alone can mislead about its cause.
    seed : int
        Inputs and cotangents follow from it.
    accepted : str
        Why it is known to differ, if it is.
    """
    why = "; ".join(absent(_loaded_with(task)))
    if why:
        return Answer("no verdict", f"no verdict: {why}", _properties(task, "no verdict"))
    try:
        result = _acquitted(task, run(task, seed), seed)
        if result.status == "differ" and accepted:
            result = replace(result, status="known", note=accepted)
        causes = _causes(side, seed) if result.status == "differ" else ()
    except PortingError as error:
        return Answer("wrong use", str(error), {})
    text = "\n".join([str(result), *map(str, causes[:1])]) if result.findings else ""
    if result.status in {"no verdict", "not applicable"}:
        text = f"no verdict: {result.note}" if result.status == "no verdict" else result.note
    cause = causes[0].cause if causes else ""
    return Answer(result.status, text, _properties(task, result.status, result.largest, cause))


@lru_cache(maxsize=16)
def _causes(side: tuple[Task, ...], seed: int) -> tuple[Diagnosis, ...]:
    """Run a side once more, for all of its tests that fail."""
    return tuple(diagnose(op_of(side[0]), [run(task, seed) for task in side], seed))


def _properties(task: Task, status: str, largest: float = 0.0, cause: str = "") -> dict[str, str | float]:
    # Plain types only: xdist sends nothing else.
    named: dict[str, str | float] = {"status": status, "op": task.op.name, "check": task.check}
    named |= {"largest": float(largest)} | ({"cause": cause} if cause else {})
    return {f"porting_{name}": value for name, value in named.items()}


def _loaded_with(task: Task) -> list[str]:
    """Return the other sides of a pair that a task wants: the one that is the truth, and those given by name."""
    if not isinstance(task.op, Pair):
        return []
    sides = [(key, side) for key, side in task.op.sides.items() if key not in task.op.answers]
    return [key for key, side in sides if key != task.runner and (task.op.oracle is None or isinstance(side, str))]


def _acquitted(task: Task, result: Result, seed: int) -> Result:
    """Take a disagreement back, as `porting.check` does, if it is the other side alone that contradicts itself."""
    pair = task.op
    if result.status != "differ" or not isinstance(pair, Pair) or pair.oracle is not None or pair.reference:
        return result
    by_itself = replace(task, check="adjoint", device="cpu", mode="eager", dtype="float64")
    alone = [run(replace(by_itself, runner=key), seed) for key in pair.sides if len(pair.sides) > 1]
    return acquit([result, *alone], {pair.name})[0]
