"""Planted faults: are they found, is their cause named first, and what do the frameworks' own checkers find."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from importlib import import_module
from typing import Any, Final, Self

import numpy as np

from porting.engine.check import check
from porting.numeric import samples
from porting.parity.cases import Cases
from porting.parity.plan import UsageError
from porting.parity.report import EXIT_AGREE, EXIT_DIFFER, EXIT_INTERNAL, EXIT_INTERRUPTED, EXIT_NOTHING
from porting.runners import Case
from porting.selftest.planted import Planted, planted_faults, right_toys
from porting.selftest.spread import collect, described, spread
from porting.spec import Op

OURS: Final = "porting"
NAMED: Final = 0.9  # of the runs must name the right cause first


@dataclass(frozen=True)
class Trial:
    """One planted fault, or one right toy, with one seed.

    Attributes
    ----------
    backend, name, about : str
        Of the fault; right toys are called ``torch.right.cube``.
    seed : int
        Inputs and cotangents follow from it.
    cause : str
        What must be named first; empty for a right toy.
    causes : tuple of str
        What was named, the likeliest first.
    caught : mapping of str to bool
        Whether this checker says that something is wrong: ``porting`` (of faults alone), then the framework's own.
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
        """How many of the right toys each of the frameworks' checkers accuses."""
        return _by_checker([trial for trial in self.trials if not trial.cause], [])

    @property
    def exit_code(self) -> int:
        """0: every fault is found with every seed, and enough causes are named first; 3: a check failed."""
        if self.interrupted:
            return EXIT_INTERRUPTED
        if self.errors:
            return EXIT_INTERNAL
        if not self.faults:
            return EXIT_NOTHING
        found = self.detection[OURS]
        return EXIT_AGREE if found.hits == found.runs and self.naming.fraction >= NAMED else EXIT_DIFFER

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
    """Try all planted faults with all seeds, and the right toys with the frameworks' own checkers.

    Parameters
    ----------
    backends : sequence of str
        ``torch``, ``tf``.
    seeds : sequence of int
        Each fault is tried with each.
    keyword : str
        Only faults whose name contains this text; the right toys are left out unless theirs does.
    jobs : int
        Number of worker processes; 1 runs in this process.
    on_start, on_result : callable, optional
        Told the number of trials to come, then each trial.

    Raises
    ------
    UsageError
        If no fault has such a name.
    """
    names = {backend: [name for name in _subjects(backend) if keyword in name] for backend in backends}
    if keyword and not any(names.values()):
        raise UsageError(
            f"no planted fault matches -k {keyword!r}; they are called torch.formula.WrongSign and the like"
        )
    work = [(backend, name, seed) for backend in backends for seed in seeds for name in names[backend]]
    if on_start:
        on_start(len(work))
    trials, interrupted = collect(spread(tried, work, jobs, backends, _lost, kind=_toy), on_result)
    order = {job: n for n, job in enumerate(work)}
    ordered = sorted(trials, key=lambda t: order[t.backend, t.name, t.seed])
    return Score(tuple(ordered), interrupted)


def tried(job: tuple[str, str, int]) -> Trial:
    """Check one fault with one seed, by us and by the framework's own checkers; a right toy by those alone."""
    backend, name, seed = job
    fault = _subjects(backend)[name]
    trial = Trial(backend, name, fault.about, seed, fault.cause)
    try:
        ours = _found(fault, seed) if fault.cause else {}
        trial = replace(trial, **ours)
        checker = import_module(f"{__package__}.peers_{backend}")
        peers: dict[str, bool] = checker.caught(peer_cases(fault.op, seed), seed)
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


def _found(fault: Planted, seed: int) -> dict[str, Any]:
    report = check(fault.op, runners=[fault.backend], seed=seed)
    if report.interrupted:
        raise KeyboardInterrupt
    return {
        "caught": {OURS: report.counts["differ"] > 0},
        "causes": tuple(diagnosis.cause for diagnosis in report.diagnoses),
    }


def _toy(job: tuple[str, str, int]) -> tuple[int, str]:
    """Return what trials share cases, truths and tolerances by: the seed, and the toy that the fault is planted in."""
    backend, name, seed = job
    return seed, _subjects(backend)[name].op.name


def _lost(job: tuple[str, str, int], how: str) -> Trial:
    backend, name, seed = job
    fault = _subjects(backend)[name]
    return Trial(backend, name, fault.about, seed, fault.cause, error=how)


def _subjects(backend: str) -> dict[str, Planted]:
    """Return the planted faults by name, then the right toys as faults without a cause."""
    right = [Planted(f"{backend}.right.{op.name}", backend, op, "", "nothing is wrong") for op in right_toys(backend)]
    return {fault.name: fault for fault in (*planted_faults(backend), *right)}
