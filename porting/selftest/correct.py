"""Right ops, checked with many seeds: nothing may differ."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Final

from porting import registry
from porting.engine.check import check
from porting.parity.plan import UsageError
from porting.parity.report import EXIT_AGREE, EXIT_DIFFER, EXIT_INTERNAL, EXIT_INTERRUPTED, EXIT_NOTHING
from porting.selftest.planted import right_toys
from porting.selftest.spread import collect, described, spread
from porting.spec import Op

_TYPES: Final = (("float32", "float64"), ("float16", "bfloat16", "float32"))  # by seed, in turn


@dataclass(frozen=True)
class OpRun:
    """One right op: all its checks with one seed, in float64 and float32, or in float32 and the types of 16 bits.

    Attributes
    ----------
    backend, op : str
        Which twin; toys are called ``toys.cube``.
    seed : int
        Inputs and cotangents follow from it.
    results, compared, known : int
        Checks with a verdict, elements and facts compared, accepted differences.
    largest : float
        The largest error that was accepted, in units of its tolerance.
    at : str
        The check and type in which it was.
    messages : tuple of str
        What differs.
    error : str
        What the check raised, a fault of ours.
    """

    backend: str
    op: str
    seed: int
    results: int = 0
    compared: int = 0
    known: int = 0
    largest: float = 0.0
    at: str = ""
    messages: tuple[str, ...] = ()
    error: str = ""


@dataclass(frozen=True)
class Correctness:
    """All runs, and whether they were interrupted."""

    runs: tuple[OpRun, ...]
    interrupted: bool = False

    def on(self, backend: str) -> "Correctness":
        """Return the part of one backend."""
        return Correctness(tuple(run for run in self.runs if run.backend == backend), self.interrupted)

    @property
    def worst(self) -> OpRun | None:
        """The run with the largest accepted error."""
        return max(self.runs, key=lambda run: run.largest, default=None)

    @property
    def exit_code(self) -> int:
        """0: nothing differs; 3: a check failed."""
        if self.interrupted:
            return EXIT_INTERRUPTED
        if any(run.error for run in self.runs):
            return EXIT_INTERNAL
        if any(run.messages for run in self.runs):
            return EXIT_DIFFER
        return EXIT_AGREE if any(run.compared for run in self.runs) else EXIT_NOTHING

    def to_json(self) -> str:
        """Return the runs as JSON text."""
        runs = [asdict(run) for run in self.runs]
        content = {"runs": runs, "interrupted": self.interrupted, "exit_code": self.exit_code}
        return json.dumps(content, indent=1)


def correct(
    backends: Sequence[str],
    count: int,
    *,
    seed: int = 0,
    keyword: str = "",
    jobs: int = 1,
    on_start: Callable[[int], None] | None = None,
    on_result: Callable[[OpRun], None] | None = None,
) -> Correctness:
    """Check the right twins of the catalogue and of the toys, one op after the other, then all with the next seed.

    Parameters
    ----------
    backends : sequence of str
        ``torch``, ``tf``.
    count : int
        Runs of an op on each backend.
    seed : int
        The first seed.
    keyword : str
        Only ops whose name, ``torch.custom_exp`` or ``torch.toys.cube``, contains this text.
    jobs : int
        Number of worker processes; 1 runs in this process.
    on_start, on_result : callable, optional
        Told the number of runs to come, then each run.

    Raises
    ------
    UsageError
        If no op has such a name.
    """
    work = []
    for backend in backends:
        names = [name for name in _ops(backend) if keyword in f"{backend}.{name}"]
        work += [(backend, names[k % len(names)], seed + k // len(names)) for k in range(count if names else 0)]
    if keyword and not work:
        raise UsageError(
            f"no right op matches -k {keyword!r}; they are called torch.custom_exp or torch.toys.cube; "
            "one check of every op: porting check -k NAME"
        )
    if on_start:
        on_start(len(work))
    runs, interrupted = collect(spread(run_once, work, jobs, backends, _lost), on_result)
    place = {job: n for n, job in enumerate(work)}
    runs.sort(key=lambda run: place[run.backend, run.op, run.seed])
    return Correctness(tuple(runs), interrupted)


def run_once(job: tuple[str, str, int]) -> OpRun:
    """Check one right op with one seed."""
    backend, name, seed = job
    run = OpRun(backend, name, seed)
    try:
        report = check(_ops(backend)[name], runners=[backend], dtypes=_TYPES[seed % len(_TYPES)], seed=seed)
    except Exception as error:  # noqa: BLE001 - a fault of ours: counted and shown
        return replace(run, error=described(error))
    if report.interrupted:
        raise KeyboardInterrupt
    accepted = [r for r in report.results if r.status in {"agree", "waived"}]
    worst = max(accepted, key=lambda r: r.largest, default=None)
    return replace(
        run,
        results=len(accepted) + report.counts["known"] + report.counts["differ"],
        compared=sum(r.compared for r in report.results),
        known=report.counts["known"],
        largest=worst.largest if worst else 0.0,
        at=f"{worst.check} {worst.dtype}" if worst else "",
        messages=tuple(report.all_messages),
    )


def _lost(job: tuple[str, str, int], how: str) -> OpRun:
    return OpRun(*job, error=how)


def _ops(backend: str) -> dict[str, Op]:
    return {**registry.ops(), **{f"toys.{op.name}": op for op in right_toys(backend)}}
