"""Results of checks that were not finished: the op ended its process, did not come back, or broke off a check."""

import traceback
from dataclasses import replace
from pathlib import Path
from typing import Final

from porting.diagnosis.cause import named
from porting.pairs.guessed import BACKWARD
from porting.pairs.pair import Pair
from porting.parity.finding import Diagnosis, Finding, Result
from porting.parity.plan import Task
from porting.runners.base import SECOND, TRIED, called, whose
from porting.workers.fate import MEMORY, SIGNAL, TIMEOUT
from porting.workers.pool import Ended

_SAY = "say what it takes: --input, --static"
_REPORT = "unless the op answers differently from call to call, please report this as a fault of porting"
_ALONE = "check one side at a time to see whose it is"
_SLOW: Final = {"large": "with 100,000 elements", "second_order": "differentiated twice", "xla": "compiled by XLA"}


def said_of(task: Task, ended: Ended, seed: int) -> list[Result | Diagnosis]:
    """Return the result of the check during which the process ended, and its cause, if it differs."""
    result = result_of(task, ended, seed)
    return [result, cause_of(result)] if result.status == "differ" else [result]


def result_of(task: Task, ended: Ended, seed: int) -> Result:
    """Return the result of the check during which the process ended; the finding names the stage.

    It is no verdict if the process ended while the other side was asked for the truth that this one is compared with,
    or while inputs were tried that nobody described.
    """
    stage, asked = whose(ended.stage)
    if asked == TRIED:
        note = f"the op's process {ended.how} while inputs were tried; {_SAY}"
        return _result(task, seed, "no verdict", note=note)
    if asked not in {"", task.runner}:
        at = f", at {ended.where}" if ended.where else ""
        note = f"{called(asked)}, which it is compared with, {ended.how}, in {stage}{at}"
        return _result(task, seed, "no verdict", note=note)
    if _is_elsewhere(task, ended.where):
        note = f"the op's process {ended.how} in the code of another side, at {ended.where}, where inputs were tried"
        return _result(task, seed, "no verdict", note=note)
    if ended.reason == SIGNAL and not ended.where and _shares_process(task):
        note = (
            f"the op's process {ended.how}, in {stage}, at no line: memory that any side damaged shows late; {_ALONE}"
        )
        return _result(task, seed, "no verdict", note=note)
    if is_slow(task, ended):
        note = f"{_SLOW[task.check]} the op's process {ended.how}, in {stage}; --timeout SECONDS gives it more"
        return _result(task, seed, "no verdict", note=note)
    said = {"reason": ended.reason, "stage": stage, "how_ended": ended.how, "where": ended.where}
    finding = Finding("process_ended", said)
    return _result(task, seed, "differ", findings=(finding,), where=ended.where)


def _shares_process(task: Task) -> bool:
    """Whether another side of a pair runs in the same process."""
    if not isinstance(task.op, Pair):
        return False
    here = {key for key in task.op.sides if key not in task.op.python} | (
        {"like"} if task.op.like is not None else set()
    )
    return len(here) > 1


def is_slow(task: Task, ended: Ended) -> bool:
    """Whether the op did not come back from what may be slow, which is no fault: a large array, a large graph.

    A second derivative that begins, and does not end, is another matter.
    """
    return task.check in _SLOW and ended.reason == TIMEOUT and whose(ended.stage)[0] != SECOND


def _is_elsewhere(task: Task, where: str) -> bool:
    """Whether a line is in the file of another side of a pair, and not in that of the side which is checked."""
    sides = task.op.sides if isinstance(task.op, Pair) else {}
    files = {key: Path(side.rpartition(":")[0]).name for key, side in sides.items() if isinstance(side, str)}
    file = Path(where.rpartition(":")[0]).name
    return bool(file) and files.get(task.runner) not in {None, file} and file in files.values()


def unfinished(task: Task, error: Exception, seed: int) -> Result:
    """Return the result of a check that raised: no verdict, as what it did not expect need not be the op's fault."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{Path(frame.filename).name}:{frame.lineno}"
    note = f"the check itself broke off ({type(error).__name__}: {error}, at {where}); {_REPORT}"
    if isinstance(error, MemoryError):  # numpy's own arrays
        note = f"what it compares wants more memory than there is ({error}); smaller arrays, --input, want less"
    return _result(task, seed, "no verdict", note=note)


def untried(task: Task, seed: int) -> Result:
    """Return the result of a check that is not tried any more."""
    return _result(task, seed, "no verdict", note="not tried: the op has ended two processes")


def undescribed(task: Task, seed: int) -> Result:
    """Return the result of a check that is not tried as no inputs are known."""
    return _result(task, seed, "no verdict", note=f"not tried: no inputs were found in time; {_SAY}")


def endless(task: Task, seed: int) -> Result:
    """Return the result of a check in a type in which another one did not come back."""
    why = "where an iteration may wait for digits that this type does not have; --dtype float64 leaves it out"
    return _result(task, seed, "no verdict", note=f"not tried: the op did not come back in {task.dtype}, {why}")


def in_vain(task: Task, seed: int, advice: str) -> Result:
    """Return the result of a slow check of arrays that a forward or a backward refuses, whatever they are."""
    why = advice if advice == BACKWARD else "a side refuses arrays of any shape"
    return _result(task, seed, "no verdict", note=f"not tried: {why}")


def left_out(task: Task, seed: int, seconds: float) -> Result:
    """Return the result of a check for which no time is left."""
    note = f"not tried: the {seconds:g} s of this side are over (--budget)"
    return replace(_result(task, seed, "no verdict", note=note), cut=True)


def cause_of(result: Result) -> Diagnosis:
    """Return the cause of an unfinished check whose status is *differ*."""
    (finding,) = result.findings
    reason = finding.fields["reason"]
    name = {TIMEOUT: "timed_out", MEMORY: "out_of_memory"}.get(reason, "process_died")
    cause = named(name)
    fix = cause.fix(result.runner)
    kind = cause.kind if reason in {SIGNAL, MEMORY} else "fault"
    seen = ", at ".join([finding.what, *finding.details])
    return Diagnosis(*result.side, name, kind, cause.title, seen, fix, explains=(result.check,))


def _result(
    task: Task, seed: int, status: str, *, note: str = "", findings: tuple[Finding, ...] = (), where: str = ""
) -> Result:
    return Result(
        task.op.name, task.check, task.runner, task.device, task.mode, task.dtype, seed,
        status, note, findings, where=where, target=task.target,
    )  # fmt: skip
