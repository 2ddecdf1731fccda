"""Carries out a plan, in this process or in workers, and makes the report."""

import platform
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, repeat
from math import inf
from pathlib import Path
from typing import Any, Final

import numpy as np

from porting.diagnosis.match import supposed
from porting.engine.assumed import assumed
from porting.engine.broken import planned, undecided
from porting.engine.devices import devices_elsewhere
from porting.engine.group import Described, Imported, Said, grouped, run_group
from porting.engine.isolate import instead_of_workers, run_isolated
from porting.engine.odd_guess import without_odd_guesses
from porting.engine.unwritten import ensure_written
from porting.pairs.pair import Pair
from porting.parity import budget as shares
from porting.parity import known
from porting.parity.blame import settle
from porting.parity.excerpts import excerpts
from porting.parity.finding import Diagnosis, Result
from porting.parity.plan import Plan, Target, Task, devices_here, ops_of, plan, seed_for
from porting.parity.report import Report
from porting.runners import RUNNERS, runner_of
from porting.spec import Op

_OF_VALUES: Final = {"wrong_value", "scaled_value"}  # which need a finding on values, whatever else they explain


def check(
    target: Target = None,
    *,
    runners: Sequence[str] = (),
    devices: Sequence[str] = (),
    modes: Sequence[str] = (),
    dtypes: Sequence[str] = (),
    only: Sequence[str] = (),
    keyword: str = "",
    seed: int | None = None,
    jobs: int = 1,
    isolate: bool | None = None,
    timeout: float = 60.0,
    memory: float | None = 8.0,
    budget: float | None = None,
    known_differences: Path | str | None = None,
    quick: bool = False,
    fail_fast: bool = False,
    strict: bool = False,
    on_start: Callable[[int], None] | None = None,
    on_result: Callable[[Result], None] | None = None,
    on_imported: Callable[[Sequence[str]], None] | None = None,
    order: Callable[[Task], Any] | None = None,
) -> Report:
    """Check ops against their contract, or a pair against each other, on every runner.

    Parameters
    ----------
    target : Op, Pair, str, or iterable of them, optional
        Ops, pairs, or names of ops and families; all of the catalogue when not given.
    runners, devices, modes, dtypes : sequence of str
        What to run on. Without runners: all that are installed. Without devices: all that are there. Without modes:
        eager mode and the checks that run in a graph; these checks are left out if only eager mode is asked for.
        ``all`` means all modes of each runner: ``value`` and ``vjp`` run in each of them.
        Without types: all four for an op, those of its inputs for a pair (see `porting.array`).
    only : sequence of str
        Names of checks; all of them when not given.
    keyword : str
        Only checks whose test id (``swish-vjp-torch-cpu-float64``) contains this text.
    seed : int, optional
        Inputs and cotangents follow from it; 0, or that of the recording, when not given.
    jobs : int
        Number of worker processes; 1 runs in this process, if `isolate` does not say otherwise.
    isolate : bool, optional
        Whether the ops run in worker processes: an op that hangs, crashes or uses up the memory then loses only its
        current check. When not given, pairs whose functions are given by name run in workers. Functions of a script or
        a notebook cannot be sent to another process.
    timeout : float
        Seconds that one check may take in a worker.
    memory : float, optional
        GiB that a worker may take; `None` for no limit.
    budget : float, optional
        Seconds for all checks together. Values and gradients come first. A check that exceeds its share of the time
        starts no further case. Checks that are left at the end are no verdict. The search for causes takes additional
        time.
    known_differences : path, optional
        A TOML file of accepted differences, see `porting.parity.known`.
    quick : bool
        Where a check runs several cases, run only one everyday case of each op, in its first variant; ``vjp`` compares
        the value too.
    fail_fast : bool
        Stop after the first result that differs.
    strict : bool
        For a pair, count a finding that may be intended as a difference; otherwise it is a note, see
        `porting.parity.blame.settle`.
    on_start, on_result : callable, optional
        Called with the number of results to come, then with each result.
    on_imported : callable, optional
        Called with the source files of the user's own that a worker has imported for a pair.
    order : callable, optional
        A sort key of a `Task`: the order in which the tasks of each side run. The report keeps its own order.

    Returns
    -------
    Report
        An interrupt (Ctrl-C) leaves a report of what was done so far.

    Raises
    ------
    porting.errors.PortingError
        If what is asked for does not exist here, or a function cannot be loaded or does not take its arguments; the
        message says what is wanted.

    Examples
    --------
    >>> import porting
    >>> porting.check("my_elementwise", runners=["oracle"], dtypes=["float64"]).exit_code
    0
    """
    ops = ops_of(target)
    ensure_written(ops)
    known.ensure_readable(known_differences)  # before any framework is imported
    isolated = _by_name(ops) if isolate is None else isolate
    alone = jobs == 1 and not isolated
    instead = instead_of_workers(isolated=isolated)
    plan_of = partial(
        plan, runners=runners, devices=devices, modes=modes, dtypes=dtypes, only=only, keyword=keyword,
        quick=quick, devices_of=devices_here if alone else partial(devices_elsewhere, instead=instead),
    )  # fmt: skip
    agenda, lost = (plan_of(ops), {}) if runners else planned(ops, plan_of)
    foreign = {task.op.name for task in agenda.tasks if not task.op.in_catalogue}
    accepted = known.accepted(foreign, known_differences)
    seed = seed_for(dict.fromkeys(task.op for task in agenda.tasks), seed)
    if on_start:
        on_start(len(agenda.tasks))
    order = order or (lambda task: shares.cheapest_first(task.check) if budget else 0)
    tasks = sorted((task for task in agenda.tasks if task not in lost), key=order)  # keeps the order of equals
    said = _here(tasks, seed, budget) if alone else run_isolated(tasks, seed, jobs, timeout, memory, instead, budget)
    return reported(
        agenda, chain(undecided(lost, seed), said), accepted=accepted, strict=strict, whole=not dtypes,
        fail_fast=fail_fast, on_result=on_result, on_imported=on_imported,
    )  # fmt: skip


def reported(
    agenda: Plan,
    said: Iterable[tuple[Task, Said]],
    *,
    accepted: Sequence[known.KnownDifference],
    strict: bool = False,
    whole: bool = False,
    fail_fast: bool = False,
    on_result: Callable[[Result], None] | None = None,
    on_imported: Callable[[Sequence[str]], None] | None = None,
) -> Report:
    """Return the report of what is said of each task; an interrupt leaves one of what was said before.

    Parameters
    ----------
    agenda : Plan
        The tasks, in the order of the report.
    said : iterable
        Each task with its result, as they come, and causes with a task of their group.
    accepted : sequence of KnownDifference
        What may differ; `whole` says whether one that matches nothing is dead.
    strict, fail_fast, on_result, on_imported
        See `check`.
    """
    judged = partial(_judged, agenda=agenda, accepted=accepted, strict=strict, whole=whole)
    results: dict[Task, Result] = {}
    diagnoses: list[Diagnosis] = []
    described: dict[str, str] = {}
    guessed: set[str] = set()
    interrupted = False
    try:
        for task, item in said:
            if isinstance(item, Diagnosis):
                diagnoses.append(item)
            elif isinstance(item, Described):
                described[item.name] = item.text
                guessed |= {item.name} if item.guessed else set()
            elif isinstance(item, Imported) and on_imported:
                on_imported(item.files)
            elif isinstance(item, Result):
                results[task] = item
                if on_result:
                    on_result(item)
                if fail_fast and judged(results.values())[0][-1].status == "differ":
                    break
    except KeyboardInterrupt:
        interrupted = True
    final, problems = judged(results[task] for task in agenda.tasks if task in results)
    final = without_odd_guesses(final, diagnoses, _pairs(agenda.tasks), guessed)
    pairs_of = {pair.name: pair for pair in _pairs(agenda.tasks)}
    stand = (replace(d, meant=assumed(d, pairs_of.get(d.op), guessed, final)) for d in diagnoses if _stands(d, final))
    causes = tuple(supposed(d, final) for d in stand)
    environment = environment_of(agenda.tasks)
    pairs = tuple(dict.fromkeys(pair.name for pair in _pairs(agenda.tasks)))
    return Report(
        final, agenda.missing, environment, problems, interrupted, causes, tuple(described.values()), pairs,
        excerpts(final), _undescribed(pairs_of.values(), guessed),
    )  # fmt: skip


def _undescribed(pairs: Iterable[Pair], guessed: Collection[str]) -> tuple[str, ...]:
    """Return the names of the pairs whose inputs nobody described."""
    return tuple(pair.name for pair in pairs if pair.name in guessed or not (pair.inputs or pair.in_catalogue))


def _here(tasks: Sequence[Task], seed: int, seconds: float | None) -> Iterator[tuple[Task, Said]]:
    groups = grouped(tasks)
    share = shares.budget(seconds, len(groups), 1, inf)
    for group in groups:
        upcoming = chain(group, repeat(group[-1]))
        for said in run_group(group, seed, share):
            yield next(upcoming) if isinstance(said, Result) else group[0], said


def _stands(cause: Diagnosis, final: Sequence[Result]) -> bool:
    """Whether what a cause explains still differs now that it is known who is to blame, or is the note of its name."""
    mine = [r for r in final if r.side == cause.side]
    differing = {r.check for r in mine if r.status == "differ"}
    noted = {r.check for r in mine if r.status == "note"}
    if cause.cause in _OF_VALUES and not any(f.fields.get("quantity") == "value" for r in mine for f in r.findings):
        return False
    return cause.cause in noted or (not differing.isdisjoint(cause.explains) if cause.explains else bool(differing))


def _judged(
    results: Iterable[Result], *, agenda: Plan, accepted: Sequence[known.KnownDifference], strict: bool, whole: bool
) -> tuple[tuple[Result, ...], tuple[str, ...]]:
    """Return the results as they count in the end, and the accepted differences that are dead."""
    return known.apply(accepted, settle(list(results), _pairs(agenda.tasks), strict=strict), whole=whole)


def _pairs(tasks: Sequence[Task]) -> list[Pair]:
    """Return the pairs that are not of the catalogue, whose ops promise all that is checked."""
    return list({t.op: None for t in tasks if isinstance(t.op, Pair) and not t.op.in_catalogue})


def _by_name(ops: Sequence[Op | Pair]) -> bool:
    pairs = [op for op in ops if isinstance(op, Pair)]
    return bool(pairs) and all(pair.by_name for pair in pairs)


def environment_of(tasks: Sequence[Task]) -> dict[str, str]:
    """Return the versions of Python, NumPy and the frameworks that some tasks ask."""
    used = {task.runner for task in tasks} - {"oracle"}
    versions = {key: _version(key, tasks) for key in RUNNERS if key in used}
    return {"python": platform.python_version(), "numpy": np.__version__, **versions}


def _version(key: str, tasks: Sequence[Task]) -> str:
    who = [runner_of(task.op, key) for task in tasks if task.runner == key]
    return ", ".join(dict.fromkeys(runner.version() for runner in dict.fromkeys(who)))
