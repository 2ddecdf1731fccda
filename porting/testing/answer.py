"""Turns the result of one task into the outcome of a test: pass, fail with the likely cause, or skip."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache, partial

from porting.diagnosis.match import diagnose, supposed
from porting.errors import PortingError
from porting.pairs.pair import Pair
from porting.parity.blame import settle
from porting.parity.checks import checks
from porting.parity.doubt import is_doubted
from porting.parity.finding import Diagnosis, Result
from porting.parity.plan import Task
from porting.parity.run import op_of, run
from porting.parity.sides import ASKED
from porting.runners import RUNNERS


@dataclass(frozen=True)
class Answer:
    """The outcome: one of `porting.parity.finding.STATUSES` or ``wrong use``; the message; what the report keeps."""

    status: str
    text: str
    properties: dict[str, str | float]


def absent(keys: Iterable[str]) -> list[str]:
    """Return the reasons why runners cannot run here; an unknown name is left to `plan`, which refuses it."""
    return [reason for key in keys if key in RUNNERS for reason in [RUNNERS[key].missing()] if reason]


def answer(task: Task, side: tuple[Task, ...], seed: int, accepted: str) -> Answer:
    """Run one task; if it differs, say why the difference is accepted, or name the likely cause.

    Parameters
    ----------
    task : Task
        What to run.
    side : tuple of Task
        All tasks of the same runner, device and mode: a single finding can mislead about its cause.
    seed : int
        Inputs and cotangents follow from it.
    accepted : str
        Why the difference is accepted, if it is.
    """
    why = "; ".join(absent(_loaded_with(task)))
    if why:
        return Answer("no verdict", f"no verdict: {why}", _properties(task, "no verdict"))
    try:
        result = _settled(task, run(task, seed), seed)
        if result.found and accepted:
            result = replace(result, status="known", note=accepted)
        causes = [supposed(d, [result]) for d in _causes(side, seed)[:1]] if result.status == "differ" else []
    except PortingError as error:
        return Answer("wrong use", str(error), {})
    text = "\n".join([str(result), *map(str, causes)]) if result.findings else ""
    if result.status in {"no verdict", "not applicable"}:
        text = f"no verdict: {result.note}" if result.status == "no verdict" else result.note
    cause = causes[0].cause if causes else ""
    return Answer(result.status, text, _properties(task, result.status, result.largest, cause))


@lru_cache(maxsize=16)
def _causes(side: tuple[Task, ...], seed: int) -> tuple[Diagnosis, ...]:
    """Run a side once more, for all of its tests that fail."""
    own, doubted = isinstance(side[0].op, Pair), partial(is_doubted, side[0], seed)
    results = [run(task, seed) for task in side]
    return tuple(diagnose(op_of(side[0]), results, seed, of_a_pair=own, doubted=doubted))


def _properties(task: Task, status: str, largest: float = 0.0, cause: str = "") -> dict[str, str | float]:
    # Plain types only: xdist sends nothing else.
    named: dict[str, str | float] = {"status": status, "op": task.op.name, "check": task.check}
    named |= {"largest": float(largest)} | ({"cause": cause} if cause else {})
    return {f"porting_{name}": value for name, value in named.items()}


def _loaded_with(task: Task) -> list[str]:
    """Return the other sides of a pair that a task wants: the one that is the truth, and those given by name."""
    if not isinstance(task.op, Pair):
        return []
    sides = [(key, side) for key, side in task.op.compared.items() if key not in task.op.answers]
    return [key for key, side in sides if key != task.runner and (task.op.oracle is None or isinstance(side, str))]


@lru_cache(maxsize=256)
def _asked(task: Task, seed: int) -> Result:
    """Run a task that other tests want to know of."""
    return run(task, seed)


def _settled(task: Task, result: Result, seed: int) -> Result:
    """Say how far a result holds, as `porting.check` does: that follows from what both sides do by themselves."""
    pair = task.op
    if result.status != "differ" or not isinstance(pair, Pair) or pair.in_catalogue:
        return result
    widest = replace(task, device="cpu", mode="eager", dtype=pair.widest)
    wanted = [widest] if task.check not in ASKED else []
    if len(pair.compared) > 1:
        wanted += [replace(widest, check=check, runner=key) for check in ASKED for key in pair.compared]
    known = [_asked(one, seed) for one in wanted if one != task and one.runner in checks()[one.check].runners]
    return settle([*known, result], [pair])[-1]
