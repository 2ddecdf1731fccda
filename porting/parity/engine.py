"""Plans which checks to run where, runs them, and makes the report."""

import multiprocessing
import platform
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final

import numpy as np

from porting import registry
from porting.dtypes import FLOATS
from porting.errors import PortingError
from porting.parity import known
from porting.parity.checks import NotApplicableError, checks
from porting.parity.finding import Finding, Report, Result
from porting.parity.probe import Probe
from porting.runners import RUNNERS
from porting.spec import Op, TwinMissingError

DEVICES: Final = ("cpu", "gpu")
ALIASES: Final = {"cuda": "gpu"}


class UsageError(PortingError, ValueError):
    """What was asked for does not exist here; the message says what was given, what is wanted, and what to do."""


@dataclass(frozen=True)
class Task:
    """One check of one op on one runner, device, mode and dtype."""

    op: Op
    check: str
    runner: str
    device: str
    mode: str
    dtype: str

    @property
    def id(self) -> str:
        """``swish-vjp-torch-cpu-float64``, as in test ids; the mode is added when it is not eager."""
        parts = [self.op.name, self.check, self.runner, self.device, self.dtype]
        return "-".join([*parts, *([] if self.mode == "eager" else [self.mode])])


@dataclass(frozen=True)
class Plan:
    """The tasks of a run, and what cannot be compared here with the reasons."""

    tasks: tuple[Task, ...]
    missing: dict[str, str]


def check(
    target: Op | str | Iterable[Op | str] | None = None,
    *,
    runners: Sequence[str] = (),
    devices: Sequence[str] = (),
    modes: Sequence[str] = ("eager",),
    dtypes: Sequence[str] = FLOATS,
    keyword: str = "",
    seed: int = 0,
    jobs: int = 1,
    fail_fast: bool = False,
    on_start: Callable[[int], None] | None = None,
    on_result: Callable[[Result], None] | None = None,
) -> Report:
    """Check ops against their contract on every runner.

    Parameters
    ----------
    target : Op, str, or iterable of them, optional
        Ops, or names of ops and families; all of the catalogue when not given.
    runners, devices, modes, dtypes : sequence of str
        What to run on. No runners: all that are installed. No devices: all that are there.
    keyword : str
        Only checks whose test id (``swish-vjp-torch-cpu-float64``) contains this text.
    seed : int
        Inputs and cotangents follow from it.
    jobs : int
        Number of worker processes; 1 runs in this process.
    fail_fast : bool
        Stop after the first result that differs.
    on_start, on_result : callable, optional
        Told the number of results to come, then each result.

    Returns
    -------
    Report
        An interrupt (Ctrl-C) leaves a report of what was done so far.

    Raises
    ------
    UsageError
        If a runner, device, mode or dtype is unknown or not there.
    porting.registry.RegistryError
        If an op or family is unknown.

    Examples
    --------
    >>> import porting
    >>> porting.check("my_elementwise", runners=["oracle"], dtypes=["float64"]).exit_code
    0
    """
    agenda = plan(target, runners=runners, devices=devices, modes=modes, dtypes=dtypes, keyword=keyword)
    if on_start:
        on_start(len(agenda.tasks))
    results: dict[Task, Result] = {}
    interrupted = False
    try:
        for task, result in _run_all(agenda.tasks, seed, jobs):
            results[task] = result
            if on_result:
                on_result(result)
            if fail_fast and result.status == "differ" and not _accepted(result):
                break
    except KeyboardInterrupt:
        interrupted = True
    ordered = [results[task] for task in agenda.tasks if task in results]
    judged, problems = known.apply(known.load(), ordered)
    return Report(judged, agenda.missing, _environment(agenda.tasks), problems, interrupted)


def plan(
    target: Op | str | Iterable[Op | str] | None = None,
    *,
    runners: Sequence[str] = (),
    devices: Sequence[str] = (),
    modes: Sequence[str] = ("eager",),
    dtypes: Sequence[str] = FLOATS,
    keyword: str = "",
) -> Plan:
    """Work out the tasks of `check`, which takes the same arguments."""
    ops = _ops(target)
    for name in dtypes:
        _known(name, "dtype", FLOATS)
    for name in modes:
        _known(name, "mode", tuple(dict.fromkeys(m for r in RUNNERS.values() for m in r.modes)))
    places, missing = _places(runners, [ALIASES.get(d, d) for d in devices])
    tasks = tuple(
        task
        for op in ops
        for runner, device in places
        for mode in modes
        if mode in RUNNERS[runner].modes
        for dtype in dtypes
        for name, c in checks().items()
        if runner in c.runners
        for task in [Task(op, name, runner, device, mode, dtype)]
        if keyword in task.id
    )
    if keyword and not tasks:
        raise UsageError(f"no check matches -k {keyword!r}; ids look like my_elementwise-vjp-torch-cpu-float64")
    return Plan(tasks, missing)


def run(task: Task, seed: int) -> Result:
    """Run one task."""
    runner = RUNNERS[task.runner]
    probe = Probe(task.op, runner, task.dtype, task.device, task.mode, seed, label=task.check)
    status, note = "", ""
    try:
        checks()[task.check].run(probe)
    except NotApplicableError as reason:
        status, note = "not applicable", str(reason)
    except TwinMissingError as error:
        probe.find(Finding(str(error)))
    findings = tuple(probe.findings.values())
    if findings:
        status = "differ"
    elif not status:
        note = probe.waived or probe.note
        if not probe.compared:
            status, note = "no verdict", note or "nothing could be compared"
        else:
            status = "waived" if probe.waived else "agree"
    return Result(
        task.op.name, task.check, task.runner, task.device, task.mode, task.dtype, seed,
        status, note, findings, probe.compared, probe.excused, probe.largest, _where(task),
    )  # fmt: skip


def _run_all(tasks: Sequence[Task], seed: int, jobs: int) -> Iterator[tuple[Task, Result]]:
    if jobs == 1:
        yield from ((task, run(task, seed)) for task in tasks)
        return
    # Forking a process in which TensorFlow has run hangs, so workers come from a server that has run nothing.
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([RUNNERS[task.runner].module for task in tasks])
    with ProcessPoolExecutor(jobs, mp_context=context) as pool:
        groups: dict[tuple[str, str], list[Task]] = {}
        for task in tasks:
            groups.setdefault((task.op.name, task.runner), []).append(task)
        pending = {pool.submit(_run_group, group, seed): group for group in groups.values()}
        try:
            for done in as_completed(pending):
                yield from zip(pending[done], done.result(), strict=True)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _run_group(tasks: Sequence[Task], seed: int) -> list[Result]:
    return [run(task, seed) for task in tasks]


def _ops(target: Op | str | Iterable[Op | str] | None) -> list[Op]:
    if target is None:
        return registry.select([])
    items = [target] if isinstance(target, Op | str) else list(target)
    if not items:
        return registry.select([])
    named = registry.select([item for item in items if isinstance(item, str)]) if any(
        isinstance(item, str) for item in items
    ) else []
    return [*named, *(item for item in items if isinstance(item, Op))]


def _known(name: str, what: str, choices: Sequence[str]) -> None:
    if name not in choices:
        near = get_close_matches(name, choices, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]}? " if near else ""
        raise UsageError(f"no {what} is called {name!r}; {hint}there are: {', '.join(choices)}")


def installed(runners: Sequence[str] = ()) -> tuple[list[str], dict[str, str]]:
    """Return the runners to use, the given ones or all, and the reason for each that cannot run here.

    Raises
    ------
    UsageError
        If a given one is unknown or cannot run.
    """
    for key in runners:
        _known(key, "runner", tuple(RUNNERS))
    reasons = {key: RUNNERS[key].missing() for key in runners or RUNNERS}
    missing = {key: reason for key, reason in reasons.items() if reason}
    if runners and missing:
        raise UsageError("; ".join(f"runner {key}: {reason}" for key, reason in missing.items()))
    return [key for key, reason in reasons.items() if not reason], missing


def _places(runners: Sequence[str], devices: Sequence[str]) -> tuple[list[tuple[str, str]], dict[str, str]]:
    """Return the (runner, device) pairs to run on, and the reason for each that is not there."""
    usable, missing = installed(runners)
    places: list[tuple[str, str]] = []
    for device in devices:
        _known(device, "device", DEVICES)
    for key in usable:
        for device, absent in RUNNERS[key].devices().items():
            if devices and device not in devices and key != "oracle":
                continue
            if absent:
                missing[f"{key} {device}"] = absent
            else:
                places.append((key, device))
    for device in devices:
        if not any(place == device for key, place in places if key != "oracle" or tuple(runners) == ("oracle",)):
            reasons = [f"{key}: {reason}" for key, reason in missing.items() if key.endswith(device) or " " not in key]
            raise UsageError(f"no device {device} here ({'; '.join(reasons) or 'no runner has it'})")
    return places, missing


def _accepted(result: Result) -> bool:
    return (result.op, result.check, result.runner) in {entry.key for entry in known.load()}


def _where(task: Task) -> str:
    try:
        return RUNNERS[task.runner].where(task.op)
    except (TwinMissingError, ImportError):
        return ""


def _environment(tasks: Iterable[Task]) -> dict[str, Any]:
    used = {task.runner for task in tasks} - {"oracle"}
    versions = {key: RUNNERS[key].version() for key in RUNNERS if key in used}
    return {"python": platform.python_version(), "numpy": np.__version__, **versions}
