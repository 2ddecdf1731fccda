"""Runs one task: one check of one op on one runner, device, mode and dtype."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from math import inf
from time import monotonic
from typing import Any, Final

from porting.errors import NotRecordedError, NoTruthError, PortingError, RunnerError
from porting.numeric.samples import generator
from porting.pairs.pair import Pair
from porting.parity.asking import COMPLEX_ONLY
from porting.parity.budget import cut_short
from porting.parity.checks import checks
from porting.parity.drawing import op_of_pair, unasked
from porting.parity.finding import Finding, Result
from porting.parity.narrow import NARROW, WIDE, narrow
from porting.parity.plan import Task
from porting.parity.probe import NotApplicableError, Probe
from porting.parity.undeclared import gradients_alone, promising
from porting.parity.undefined import restricted, undefined
from porting.runners import RUNNERS, Case, runner_of
from porting.runners.base import OutOfTimeError, blames, timed
from porting.spec import Op, TwinMissingError

_NOTHING: Final = "nothing could be compared"
_COMPLEX: Final = "complex_numbers"
_WITH_COMPLEX: Final = ("float32", "float64")
_LACKING: Final = ("raised", "no_truth")


def run(task: Task, seed: int, settings: Mapping[str, Any] | None = None, until: float = inf) -> Result:
    """Run one task; then put the settings back, the given ones or those of before.

    Where something is lacking that a side raises in float64 alone, it is run again, in the knowledge of that. After
    `until`, on the clock `time.monotonic`, no further case is made.
    """
    result = _run(task, seed, settings, until)
    if task.check == _COMPLEX and result.status == "not applicable":
        return _undeclared(task, result, seed, settings, until)
    op = op_of(task)
    lacking = result.status == "no verdict" or any(f.code in _LACKING for f in result.findings)
    if lacking and isinstance(task.op, Pair) and not op.narrow and not op.draws:
        op.narrow = narrow(task.op)
        return _run(task, seed, settings, until) if op.narrow else result
    return result


def _undeclared(task: Task, result: Result, seed: int, settings: Mapping[str, Any] | None, until: float) -> Result:
    """Return what to note of complex numbers that nobody promised; else the result as it is."""
    pair = promising(task.op) if isinstance(task.op, Pair) and task.dtype == WIDE else None
    if pair is not None and not op_of(task).draws:
        with suppress(PortingError):
            tried = _run(replace(task, op=pair), seed, settings, until)
            if found := gradients_alone(tried.findings):
                return replace(tried, status="note", findings=found)
    return result


def _run(task: Task, seed: int, settings: Mapping[str, Any] | None, until: float) -> Result:
    op = op_of(task)
    runner = runner_of(op, task.runner)
    dtype = NARROW if op.narrow and checks()[task.check].once else task.dtype
    probe = Probe(op, dtype, task.device, task.mode, seed, task.check, task.quick, runner=runner)
    settings = runner.state() if settings is None else settings
    try:
        status, note = _look(task, probe, until)
    finally:
        runner.restore(settings)
    findings = tuple(probe.findings.values())
    if findings:
        status = "differ"
    elif not status:
        note = probe.waived or probe.note
        if probe.compared:
            status = "waived" if probe.waived else "agree"
        elif not probe.independent and not probe.note:
            status, note = "not applicable", "no independent reference"
        else:
            status, note = "no verdict", note or _NOTHING
    result = Result(
        op.name, task.check, task.runner, task.device, task.mode, dtype, seed, status, note, findings,
        probe.compared, probe.excused, probe.largest, _where(task), task.target, probe.cut, drawn=bool(op.common),
    )  # fmt: skip
    return _where_defined(task, result, probe, settings, until) if note == _NOTHING else result


def _where_defined(task: Task, result: Result, probe: Probe, settings: Mapping[str, Any], until: float) -> Result:
    """Return what a check says where a pair is defined, if nothing could be compared; else why, if that is known."""
    pair, found = task.op, None
    if isinstance(pair, Pair) and not pair.in_catalogue:
        with suppress(Exception):  # what a side raises here is told elsewhere
            found = undefined(probe)
    if found is None or not isinstance(pair, Pair):
        return result
    if found.within and pair.oracle is None and pair.against is None and not pair.python:
        with suppress(PortingError):
            tried = _run(replace(task, op=restricted(pair, probe, found.within)), result.seed, settings, until)
            if tried.compared:
                return replace(tried, note=f"{found.said}; compared with {found.flags}")
    return replace(result, note=f"{_NOTHING}: {found}", undefined=not found.within)


def _look(task: Task, probe: Probe, until: float) -> tuple[str, str]:
    """Run the check; return the status and the note where it has no meaning."""
    op = probe.op
    reason = unasked(op, task.check, probe.mode)
    reason = reason or (op.narrow if probe.dtype == WIDE else "")
    if reason:
        return "no verdict", reason
    try:
        _in_time(checks()[task.check].run, probe, until)
    except NotApplicableError as reason:
        return "not applicable", str(reason)
    except NotRecordedError as reason:
        return "no verdict", str(reason)
    except NoTruthError as reason:
        probe.note = f"a side {COMPLEX_ONLY}" if _takes_complex_only(probe) else str(reason)
        if op.truth == task.runner:  # a side alone: what it raises is its own
            probe.find(Finding("no_truth", {"message": str(reason), "stage": reason.stage}))
    except RunnerError:
        raise
    except PortingError as error:  # no twin, no vjp, no truth
        probe.find(Finding("misuse", {"message": str(error)}))
    except Exception as error:
        if not blames(error, op.value):
            raise
        probe.find(Finding("oracle_raised", {"type": type(error).__name__, "message": str(error)}))
    return "", ""


def _takes_complex_only(probe: Probe) -> bool:
    """Whether the side that has the truth, or this one, raises for real numbers and takes complex ones."""
    op = probe.op
    if not op.contract.complex or op.truth == "oracle" or op.memory is not None or probe.dtype not in _WITH_COMPLEX:
        return False
    with suppress(Exception):  # what cannot be drawn has another reason
        case = Case(op, probe.dtype, probe.draw(generator(probe.seed, op.name, "complex only")))
        for asking in (probe, replace(probe, runner=RUNNERS["oracle"])):
            if asking.runner.run(case).raised and asking.takes_complex(case):
                return True
    return False


def _in_time(check: Callable[[Probe], None], probe: Probe, until: float) -> None:
    begun = monotonic()
    try:
        with timed(until) as stages:
            check(probe)
    except OutOfTimeError:
        probe.note, probe.cut = cut_short(monotonic() - begun, stages), True


def op_of(task: Task) -> Op:
    """Return the op of a task; of a pair, the one that its runner is checked as."""
    return task.op if isinstance(task.op, Op) else op_of_pair(task.op, task.runner)


def _where(task: Task) -> str:
    try:
        op = op_of(task)
        return runner_of(op, task.runner).where(op)
    except (TwinMissingError, ImportError):
        return ""
