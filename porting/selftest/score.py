"""Planted faults and their right siblings: which are found, named, accused, by us and by the frameworks' checkers."""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from importlib import import_module
from typing import Any, Final, Self

import numpy as np

from porting.backends import CATALOGUED
from porting.engine.check import check
from porting.numeric import samples
from porting.pairs.pair import Pair
from porting.parity.cases import Cases
from porting.parity.messages import told
from porting.parity.plan import UsageError
from porting.parity.report import EXIT_AGREE, EXIT_DIFFER, EXIT_INTERNAL, EXIT_INTERRUPTED, EXIT_NOTHING, Report
from porting.runners import Case
from porting.selftest.planted import Planted, planted_faults, planted_pairs, right_siblings, right_toys
from porting.selftest.spread import collect, described, spread
from porting.spec import Op

OURS: Final = "porting"
NAMED: Final = 0.9  # of the runs must name the right cause first


@dataclass(frozen=True)
class Trial:
    """One planted fault, or something right, with one seed.

    Attributes
    ----------
    backend, name, about : str
        Of the fault; right toys are called ``torch.right.cube``.
    seed : int
        Inputs and cotangents follow from it.
    cause : str
        What must be named first; empty for what is right.
    causes : tuple of str
        What was named, the likeliest first.
    caught : mapping of str to bool
        Whether this checker says that something is wrong: ``porting``, then the framework's own.
    misled : bool
        Whether the right side of a wrong pair is accused.
    error : str
        What the check raised, a fault of ours; the planted one then counts as not found.
    """

    backend: str
    name: str
    about: str
    seed: int
    cause: str
    causes: tuple[str, ...] = ()
    caught: Mapping[str, bool] = field(default_factory=dict)
    misled: bool = False
    error: str = ""

    @property
    def named(self) -> bool:
        """Whether the right cause is the first."""
        return self.causes[:1] == (self.cause,)


@dataclass(frozen=True)
class Rate:
    """How many of the runs, and how many of the names in all of their runs."""

    hits: int
    runs: int
    whole: int
    names: int

    @classmethod
    def of(cls, trials: Iterable[Trial], hits: Sequence[bool]) -> Self:
        """Count the trials that are hits."""
        by_name: dict[str, list[bool]] = {}
        for trial, hit in zip(trials, hits, strict=True):
            by_name.setdefault(trial.name, []).append(hit)
        return cls(sum(hits), len(hits), sum(map(all, by_name.values())), len(by_name))

    @property
    def fraction(self) -> float:
        """Hits by runs."""
        return self.hits / self.runs if self.runs else 0.0


@dataclass(frozen=True)
class Score:
    """All trials, and whether they were interrupted."""

    trials: tuple[Trial, ...]
    interrupted: bool = False

    @property
    def faults(self) -> list[Trial]:
        """The trials of planted faults."""
        return [trial for trial in self.trials if trial.cause]

    @property
    def errors(self) -> list[Trial]:
        """The trials in which the check itself failed."""
        return [trial for trial in self.trials if trial.error]

    def on(self, backend: str) -> "Score":
        """Return the part of one backend."""
        return Score(tuple(trial for trial in self.trials if trial.backend == backend), self.interrupted)

    @property
    def detection(self) -> dict[str, Rate]:
        """How many of the faults each checker finds."""
        return _by_checker(self.faults, [OURS])

    @property
    def naming(self) -> Rate:
        """How often the right cause is named first."""
        return Rate.of(self.faults, [trial.named for trial in self.faults])

    @property
    def false_alarms(self) -> dict[str, Rate]:
        """How often each checker accuses what is right: a toy, a sibling of a fault."""
        return _by_checker([trial for trial in self.trials if not trial.cause], [OURS])

    @property
    def misled(self) -> list[Trial]:
        """The trials of wrong pairs whose right side is accused."""
        return [trial for trial in self.trials if trial.misled]

    @property
    def exit_code(self) -> int:
        """0: every fault is found, enough causes are named first, nothing right is accused; 3: a check failed."""
        if self.interrupted:
            return EXIT_INTERRUPTED
        if self.errors:
            return EXIT_INTERNAL
        if not self.trials:
            return EXIT_NOTHING
        missed = any(not trial.caught.get(OURS) for trial in self.faults)
        accused = bool(self.misled) or any(trial.caught.get(OURS) for trial in self.trials if not trial.cause)
        named = not self.faults or self.naming.fraction >= NAMED
        return EXIT_AGREE if named and not (missed or accused) else EXIT_DIFFER

    def to_json(self) -> str:
        """Return trials and sums as JSON text."""
        sums = {
            backend: {
                "detection": {name: asdict(rate) for name, rate in self.on(backend).detection.items()},
                "naming": asdict(self.on(backend).naming),
                "false_alarms": {name: asdict(rate) for name, rate in self.on(backend).false_alarms.items()},
            }
            for backend in dict.fromkeys(trial.backend for trial in self.trials)
        }
        trials = [asdict(trial) for trial in self.trials]
        content = {"trials": trials, "sums": sums, "interrupted": self.interrupted, "exit_code": self.exit_code}
        return json.dumps(content, indent=1)


def score(
    backends: Sequence[str],
    seeds: Sequence[int],
    *,
    keyword: str = "",
    jobs: int = 1,
    on_start: Callable[[int], None] | None = None,
    on_result: Callable[[Trial], None] | None = None,
) -> Score:
    """Try all planted faults and all that is right with all seeds, by us and by the frameworks' own checkers.

    Parameters
    ----------
    backends : sequence of str
        ``torch``, ``tf``.
    seeds : sequence of int
        Each fault is tried with each.
    keyword : str
        Only what has this text in its name.
    jobs : int
        Number of worker processes; 1 runs in this process.
    on_start, on_result : callable, optional
        Told the number of trials to come, then each trial.

    Raises
    ------
    UsageError
        If no fault has such a name.
    """
    things = {
        backend: {name: thing for name, thing in _subjects(backend).items() if keyword in name} for backend in backends
    }
    if keyword and not any(things.values()):
        raise UsageError(
            f"no planted fault matches -k {keyword!r}; they are called torch.formula.WrongSign and the like"
        )
    work = [(backend, name, seed) for backend in backends for seed in seeds for name in things[backend]]
    if on_start:
        on_start(len(work))
    pairs = any(isinstance(thing.subject, Pair) for found in things.values() for thing in found.values())
    needed: Collection[str] = CATALOGUED if pairs else backends
    trials, interrupted = collect(spread(tried, work, jobs, needed, _lost, kind=_shared), on_result)
    order = {job: n for n, job in enumerate(work)}
    ordered = sorted(trials, key=lambda t: order[t.backend, t.name, t.seed])
    return Score(tuple(ordered), interrupted)


def tried(job: tuple[str, str, int]) -> Trial:
    """Check one of them with one seed, by us and, if it is an op, by the framework's own checkers."""
    backend, name, seed = job
    thing = _subjects(backend)[name]
    trial = Trial(backend, name, thing.about, seed, thing.cause)
    try:
        trial = replace(trial, **_found(thing, seed))
        if isinstance(thing.subject, Pair):
            return trial
        checker = import_module(f"{__package__}.peers_{backend}")
        peers: dict[str, bool] = checker.caught(peer_cases(thing.subject, seed), seed)
        return replace(trial, caught={**trial.caught, **peers})
    except Exception as error:  # noqa: BLE001 - a fault of ours: counted and shown
        return replace(trial, error=described(error))


def peer_cases(op: Op, seed: int) -> list[Case]:
    """Return the inputs for the frameworks' checkers: drawn like ours, and complex ones where the op promises them."""
    case = Cases(op, "float64", seed=seed, label="peers").case()
    if not op.contract.complex:
        return [case]
    rng = samples.generator(seed, op.name, "peers", "complex")
    turned = {name: x * np.exp(1j * rng.uniform(0, 2 * np.pi, x.shape)) for name, x in case.inputs.items()}
    return [
        case,
        replace(case, inputs={name: turned[name] if name in op.wrt else x for name, x in case.inputs.items()}),
    ]


def _by_checker(trials: Sequence[Trial], always: Sequence[str]) -> dict[str, Rate]:
    """Return how often each checker accuses; those `always` counted accuse nobody where they did not come so far."""
    names = dict.fromkeys([*always, *(name for trial in trials for name in trial.caught)])
    found = {}
    for name in names:
        asked = [t for t in trials if name in t.caught or name in always]
        found[name] = Rate.of(asked, [t.caught.get(name, False) for t in asked])
    return found


def _found(thing: Planted, seed: int) -> dict[str, Any]:
    pair = isinstance(thing.subject, Pair)
    report = check(thing.subject, runners=() if pair else [thing.backend], seed=seed)
    if report.interrupted:
        raise KeyboardInterrupt
    return verdict_of(thing, report)


def verdict_of(thing: Planted, report: Report) -> dict[str, Any]:
    """Return the fields of a trial that a report decides: whether we caught it, what we named, whom we misled."""
    accused = {
        result.runner
        for result in report.results
        if result.status == "differ" and any(finding.kind != "disagreement" for finding in result.findings)
    }
    return {
        "caught": {OURS: report.counts["differ"] > 0},
        "causes": tuple(d.cause for d in told(report.diagnoses, report.results) if d.runner == thing.backend),
        "misled": bool(thing.cause) and bool(accused - {thing.backend}),
    }


def _shared(job: tuple[str, str, int]) -> tuple[str, int]:
    """Return what trials share: by the toy op traces of its twins, by the seed too cases, truths and tolerances."""
    backend, name, seed = job
    return _subjects(backend)[name].subject.name, seed


def _lost(job: tuple[str, str, int], how: str) -> Trial:
    backend, name, seed = job
    thing = _subjects(backend)[name]
    return Trial(backend, name, thing.about, seed, thing.cause, error=how)


@cache
def _subjects(backend: str) -> dict[str, Planted]:
    """Return the planted faults by name, then all that is right, which has no cause."""
    toys = [Planted(f"{backend}.right.{op.name}", backend, op, "", "nothing is wrong") for op in right_toys(backend)]
    every = (*planted_faults(backend), *planted_pairs(backend), *right_siblings(backend), *toys)
    return {thing.name: thing for thing in every}
