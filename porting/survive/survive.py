"""Asks every mode about every op, in worker processes: a mode may hang, die, or leave a compiler behind."""

import platform
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from porting.backends import BACKENDS
from porting.engine.devices import devices_elsewhere, importable
from porting.engine.group import Described
from porting.engine.isolate import instead_of_workers
from porting.engine.preload import preload
from porting.engine.unwritten import ensure_written
from porting.errors import PortingError
from porting.pairs.pair import Pair
from porting.parity import known
from porting.parity.plan import ALL, Target, UsageError, ensure, installed, ops_of
from porting.runners import RUNNERS
from porting.spec import Op
from porting.survive.cell import Cell
from porting.survive.matrix import Matrix
from porting.survive.work import Job
from porting.workers.pool import Ended, Pool

_REFERENCE: Final = "eager"
_OPS: Final = 4  # of a job: few, so that all workers have work to the end; a job may start processes of its own


def survive(
    target: Target = None,
    *,
    runners: Sequence[str] = (),
    modes: Sequence[str] = (),
    seed: int = 0,
    jobs: int = 1,
    timeout: float = 120.0,
    known_differences: Path | str | None = None,
    on_start: Callable[[int], None] | None = None,
    on_cell: Callable[[Cell], None] | None = None,
) -> Matrix:
    """Find out in which modes of the frameworks a custom gradient survives.

    Parameters
    ----------
    target : Op, Pair, str, or iterable of them, optional
        Ops, pairs, or names of ops and families; all of the catalogue when not given. Each side of a pair is asked by
        itself.
    runners : sequence of str
        The frameworks; all that are installed when not given.
    modes : sequence of str
        The modes (see ``porting survive --modes``); all of each framework but ``eager``, the one that they are compared
        with, when not given.
    seed : int
        The numbers follow from it.
    jobs : int
        Number of worker processes.
    timeout : float
        Seconds for one cell.
    known_differences : path, optional
        A TOML file of accepted losses, whose ``check`` is a mode, see `porting.parity.known`.
    on_start, on_cell : callable, optional
        Called with the number of cells to come, then with each cell.

    Returns
    -------
    Matrix
        Ctrl-C leaves a matrix of what was done so far.

    Raises
    ------
    porting.errors.PortingError
        If what is asked for does not exist here, or a function cannot be loaded.
    """
    ops = ops_of(target)
    ensure_written(ops)
    known.ensure_readable(known_differences)  # before any framework is imported
    asked, missing = _asked(ops, runners, modes, seed, timeout)
    if on_start:
        on_start(sum(len(job.modes) * len(job.ops) for job in asked))
    cells: list[Cell] = []
    described: dict[str, str] = {}
    interrupted = False
    try:
        for said in _answers(asked, jobs, timeout):
            if isinstance(said, Described):
                described[said.name] = said.text
                continue
            cells.append(said)
            if on_cell:
                on_cell(said)
    except KeyboardInterrupt:
        interrupted = True
    places = {(job.key, op.name, mode): n for n, (job, op, mode) in enumerate(_each(asked))}
    cells.sort(key=lambda c: places[c.runner, c.op, c.mode])
    accepted, problems = _accepted(cells, ops, known_differences)
    versions = {key: RUNNERS[key].version() for key in dict.fromkeys(job.key for job in asked)}
    environment = {"python": platform.python_version(), "numpy": np.__version__, **versions}
    return Matrix(tuple(accepted), missing, environment, tuple(described.values()), problems, interrupted)


@dataclass(frozen=True)
class _Left:
    """A job that is to be done, and how many of its cells are done already."""

    job: Job
    done: int = 0


def _asked(
    ops: Sequence[Op | Pair], runners: Sequence[str], modes: Sequence[str], seed: int, timeout: float
) -> tuple[list[Job], dict[str, str]]:
    """Return the jobs, and which frameworks are not here."""
    keys = list(runners or BACKENDS)
    for key in keys:
        ensure(key, "framework", tuple(BACKENDS))
    needed = [key for key in keys if any(key in _sides(op) for op in ops)]
    if not needed:
        raise UsageError(f"no side of {', '.join(op.name for op in ops)} is for {' or '.join(keys)}")
    here, missing = installed(needed if runners else [])
    here, broken = importable([key for key in here if key in needed], named=bool(runners), devices_of=devices_elsewhere)
    missing |= broken
    every = {key: [mode for mode in BACKENDS[key].modes if mode != _REFERENCE] for key in keys}
    for mode in modes:
        if mode == _REFERENCE:
            raise UsageError("mode eager is what all others are compared with; name another one, or none for all")
        ensure(mode, "mode", (*dict.fromkeys(m for mine in every.values() for m in mine), ALL))
    found = []
    for key in here:
        wanted = tuple(m for m in every[key] if not modes or m in modes or ALL in modes)
        mine = [op for op in ops if key in _sides(op)]
        if wanted:
            found += [Job(tuple(mine[k : k + _OPS]), key, wanted, seed, timeout) for k in range(0, len(mine), _OPS)]
    if not found and not missing:
        raise UsageError(f"{' and '.join(BACKENDS[key].title for key in here)} has no mode {' or '.join(modes)}")
    return found, {key: reason for key, reason in missing.items() if key in needed}


def _sides(op: Op | Pair) -> tuple[str, ...]:
    return tuple(op.compared) if isinstance(op, Pair) else tuple(key for key in op.runners if key in BACKENDS)


def _each(asked: Sequence[Job]) -> Iterator[tuple[Job, Op | Pair, str]]:
    for job in asked:
        yield from ((job, op, mode) for op in job.ops for mode in job.modes)


def _answers(asked: Sequence[Job], jobs: int, timeout: float) -> Iterator[Cell | Described]:
    waiting = [_Left(job) for job in asked]
    preloaded = preload(RUNNERS[key].module for key in dict.fromkeys(job.key for job in asked))
    instead = instead_of_workers(isolated=True)
    with Pool(jobs, "porting.survive.work:answer", timeout=timeout, preload=preloaded, instead=instead) as pool:
        while waiting:
            batch, waiting = waiting, []
            done = [left.done for left in batch]
            for index, said in pool.run([(left.job, left.done) for left in batch]):
                job = batch[index].job
                if isinstance(said, PortingError):
                    raise said
                if isinstance(said, Ended):
                    if done[index] < len(job.ops) * len(job.modes):
                        yield _ended(job, done[index], said)
                        waiting.append(_Left(job, done[index] + 1))
                else:
                    done[index] += isinstance(said, Cell)
                    yield said


def _ended(job: Job, number: int, end: Ended) -> Cell:
    """Return the cell at which a process ended: its op, or the compiler, may hang or crash."""
    op, mode = [(op, mode) for _, op, mode in _each([job])][number]
    dtype = BACKENDS[job.key].modes[mode].dtype
    return Cell(op.name, job.key, mode, "refused", dtype, job.seed, message=f"{end.stage}: {end.how}", where=end.where)


def _accepted(cells: Sequence[Cell], ops: Sequence[Any], own: Path | str | None) -> tuple[list[Cell], tuple[str, ...]]:
    """Return the cells with the reasons of accepted losses, and the entries that are dead or expired."""
    entries = {entry.key: entry for entry in known.accepted((op.name for op in ops if not op.in_catalogue), own)}
    judged, problems = [], []
    for cell in cells:
        entry = entries.get((cell.op, cell.mode, cell.runner))
        if entry is not None and cell.fate == "lost silently":
            if entry.is_expired():
                problems.append(entry.expired)
            else:
                cell = replace(cell, accepted=entry.reason)  # noqa: PLW2901 - the cell, judged
        elif entry is not None and cell.fate == "kept" and not entry.sometimes:
            problems.append(entry.dead)
        judged.append(cell)
    return judged, tuple(problems)
