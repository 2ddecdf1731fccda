"""Records what one side answers, so that a later check needs neither its framework nor its code."""

import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import porting
from porting import registry
from porting.backends import BACKENDS
from porting.dtypes import FLOATS
from porting.engine.devices import devices_elsewhere, importable
from porting.engine.isolate import instead_of_workers
from porting.engine.preload import preload
from porting.engine.rehearse import Asked, rehearse, steps
from porting.errors import PairError, PortingError, RunnerError
from porting.files import OutputError, ensure_writable
from porting.pairs.pair import Pair
from porting.parity.plan import Target, UsageError, devices_here
from porting.recordings import contract
from porting.recordings.file import Part, part_of, write
from porting.recordings.memory import Recorder
from porting.runners import runner_of
from porting.runners.base import on_stage
from porting.runners.tree import pack
from porting.spec import Op
from porting.workers.pool import Ended, Pool


def record(
    target: Target,
    path: Path | str,
    *,
    dtypes: Sequence[str] = (),
    modes: Sequence[str] = ("eager",),
    keyword: str = "",
    seed: int = 0,
    cases: int = 1,
    jobs: int = 1,
    isolate: bool | None = None,
    timeout: float = 60.0,
    memory: float | None = 8.0,
    on_start: Callable[[int], None] | None = None,
    on_step: Callable[[], None] | None = None,
) -> None:
    """Record one side of a pair, or the oracle of ops of the catalogue, for ``porting.Pair(against=path)``.

    Parameters
    ----------
    target : Pair, Op, str, or iterable of them, optional
        A pair with one side, the side that you port from. Or ops, or names of ops and families of the catalogue: then
        their oracle is recorded. `None` means all of the catalogue.
    path : path
        The file, an ``.npz``.
    dtypes, modes : sequence of str
        Types and modes of the later checks. Without types: all four for an op, those of its inputs for a pair. Only
        modes in which every case can be asked: ``eager``, of TensorFlow also ``function`` and ``xla``.
    keyword : str
        Record only for checks whose id (``vjp-torch-cpu-float64``) contains this text.
    seed, cases : int
        The first seed, and how many seeds are recorded from it on.
    jobs, isolate, timeout, memory
        As for `porting.check`.
    on_start, on_step : callable, optional
        Called with the number of steps to come, then for each step.

    Raises
    ------
    porting.errors.PortingError
        If what is asked for does not exist here, a function cannot be loaded, ends its process or does not come back,
        or the file cannot be written. Nothing is written then.
    """
    path = Path(path)
    ensure_writable(path, "-o")
    if path.exists() and not path.is_file():
        raise OutputError(f"-o {path}: is no plain file, which a recording is")
    ops = _ops(target)
    wanted = [(op, _asked(op, dtypes, modes, keyword, range(seed, seed + cases))) for op in ops]
    if on_start:
        on_start(sum(steps(op, _key(op), asked) for op, asked in wanted))
    by_name = all(isinstance(op, Pair) and op.by_name for op in ops)
    isolated = by_name if isolate is None else isolate
    alone = jobs == 1 and not isolated
    instead = instead_of_workers(isolated=isolated)
    frameworks = [key for op in ops if (key := _key(op)) in BACKENDS and key not in op.answers]
    devices_of = devices_here if alone else partial(devices_elsewhere, instead=instead)
    importable(list(dict.fromkeys(frameworks)), named=True, devices_of=devices_of)
    parts: dict[int, Part] = {}
    for index, said in _here(wanted) if alone else _isolated(wanted, jobs, timeout, memory, instead):
        if isinstance(said, Part):
            parts[index] = said
        elif on_step:
            on_step()
    header = {"gradport": porting.__version__, "python": platform.python_version(), "numpy": np.__version__}
    write(path, header, [parts[n] for n in range(len(wanted))], "-o")


Job = tuple[Op | Pair, Asked]


def _ops(target: Target) -> list[Op | Pair]:
    items = [] if target is None else [target] if isinstance(target, Op | Pair | str) else list(target)
    names, own = [i for i in items if isinstance(i, str)], [i for i in items if isinstance(i, Op | Pair)]
    for op in own:
        if isinstance(op, Pair) and (len(op.compared) != 1 or op.oracle is not None or op.against is not None):
            raise PairError(f"{op.name}: one function is recorded, the one that is ported from: torch= or tf= alone")
        if isinstance(op, Op) and not op.in_catalogue:
            raise PairError(f"{op.name}: the oracle of an op of your own need not be recorded; it runs anywhere")
    return [*(registry.select(names) if names or not own else []), *own]


def _key(op: Op | Pair) -> str:
    return "oracle" if isinstance(op, Op) else next(iter(op.compared))


def _asked(op: Op | Pair, dtypes: Sequence[str], modes: Sequence[str], keyword: str, seeds: range) -> Asked:
    for name in dtypes:
        if name not in FLOATS:
            raise UsageError(f"no dtype is called {name!r}; there are: {', '.join(FLOATS)}")
    key = _key(op)
    runner = runner_of(op, key)
    missing = runner.missing()
    if missing:
        raise UsageError(f"runner {key}: {missing}")
    for mode in modes:
        if key != "oracle" and mode not in runner.whole:
            lacks = "is not recorded in mode" if mode in runner.modes else "has no mode"
            raise UsageError(f"{runner.title} {lacks} {mode}; it is recorded in: {', '.join(runner.whole)}")
    types = op.in_types(dtypes) if isinstance(op, Pair) else tuple(dtypes) or FLOATS
    asked = Asked(types, tuple(modes), keyword, tuple(seeds))
    if not steps(op, key, asked):
        raise UsageError(f"no check matches -k {keyword!r}; ids look like {op.name}-vjp-torch-cpu-float64")
    return asked


def _here(jobs: Sequence[Job]) -> Iterator[tuple[int, Part | None]]:
    for index, job in enumerate(jobs):
        yield from ((index, said) for said in recorded(*job))


def _isolated(
    jobs: Sequence[Job], size: int, timeout: float, memory: float | None, instead: str
) -> Iterator[tuple[int, Part | None]]:
    limit = None if memory is None else int(memory * 2**30)
    preloaded = [*preload(runner_of(op, _key(op)).module for op, _ in jobs if not op.answers), "porting.engine.record"]
    handler = "porting.engine.record:answer"
    with Pool(size, handler, timeout=timeout, memory=limit, preload=preloaded, instead=instead) as pool:
        for index, said in pool.run(list(jobs)):
            if isinstance(said, PortingError):
                raise said
            if isinstance(said, Ended):
                op = jobs[index][0]
                at = f", at {said.where}" if said.where else ""
                raise RunnerError(f"{op.name}: its process {said.how}, in {said.stage}{at}; nothing is recorded")
            yield index, said


def answer(job: Job, announce: Callable[[str], None]) -> Iterator[Part | PortingError | None]:
    """Record in a worker; an error of the user's is returned, not raised."""
    announce("import")
    on_stage(announce)
    try:
        yield from recorded(*job)
    except PortingError as error:
        yield error


def recorded(op: Op | Pair, asked: Asked) -> Iterator[Part | None]:
    """Yield `None` for each step, then the part of the recording that belongs to one function."""
    key = _key(op)
    subject = op if isinstance(op, Op) else op.on(key)
    recorder = Recorder(subject)
    yield from rehearse(subject, key, recorder, asked)
    yield part_of({**_about(op, subject), "side": _side(subject, key, asked), **_said(asked)}, recorder)


def _said(asked: Asked) -> dict[str, Any]:
    return {f.name: list(v) if isinstance(v := getattr(asked, f.name), tuple) else v for f in fields(Asked)}


def _side(subject: Op, key: str, asked: Asked) -> dict[str, Any]:
    runner = runner_of(subject, key)
    return {
        "key": key, "title": runner.title, "version": runner.version(), "where": runner.where(subject),
        "modes": asked.modes, "layouts": runner.layouts, "uses": runner.uses, "mutable": runner.mutable,
    }  # fmt: skip


def _about(op: Op | Pair, subject: Op) -> dict[str, Any]:
    """Return what a later check has to be called with."""
    if isinstance(op, Op):
        return {
            "name": op.name,
            "inputs": list(op.inputs),
            "contract": contract.written(op.contract),
            "statics": _packed(op.settings({})),
            "given": _packed({}),
        }
    known = {*subject.statics, *op.aside}  # not a constructor's
    given = {name: value for name, value in op.statics.items() if name in known}
    return {
        "name": op.name,
        "inputs": list(subject.inputs),
        "contract": contract.written(op.contract),
        "described": {a.part or name: str(a) for name, a in op.inputs.items()},
        "statics": _packed(subject.settings(given)),
        "given": _packed(given),
        "surrogate_of": op.surrogate_of,
    }


def _packed(statics: Mapping[str, Any]) -> Any:
    plain = {name: value for name, value in statics.items() if not callable(value)}
    try:
        return pack(plain, _refused)
    except TypeError as error:
        raise PairError(f"a static cannot be recorded: {error}") from None


def _refused(_: Any) -> int:
    raise TypeError("an array; a static is a number, a text or a tuple of them")
