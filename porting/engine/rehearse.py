"""Rehearses the checks of a side that is not there yet: whatever they ask of the recorded one is remembered."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, cast

from porting.diagnosis.cause import causes
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.match import diagnose
from porting.dtypes import FLOATS
from porting.errors import NoTruthError, PortingError, RunnerError
from porting.pairs.pair import Pair
from porting.pairs.replay import ELSEWHERE
from porting.pairs.stand_in import standing_in
from porting.parity.checks import Check, checks
from porting.parity.finding import Finding, Result
from porting.parity.plan import Task
from porting.parity.run import run
from porting.recordings.memory import Recorder, digest
from porting.recordings.runner import Listening
from porting.recordings.understudy import SPOILS, Spoil, Understudy, as_it_is, raising
from porting.runners import Case, Outcome, Runner, runner_of
from porting.spec import BACKENDS, Op


@dataclass(frozen=True)
class Asked:
    """What to record: of which checks, types and modes, from which seed on, and whether for diagnosis too."""

    dtypes: tuple[str, ...]
    modes: tuple[str, ...]
    keyword: str
    seeds: tuple[int, ...]


def rehearse(op: Op, key: str, recorder: Recorder, asked: Asked) -> Iterator[None]:
    """Ask one side all that later checks may ask, and have it remembered; yields between two steps.

    Parameters
    ----------
    op : Op
        The op, whose truth the side has.
    key : str
        Who answers: ``torch``, ``tf`` or ``oracle``.
    recorder : Recorder
        Who remembers.
    asked : Asked
        For which checks.
    """
    heard = Listening(runner_of(op, key), op, recorder)
    listening = cast("Runner", heard)
    for seed in asked.seeds:
        if key != "oracle":
            heard.again = True
            yield from _own(_op(op, key, listening, recorder, {key: listening}), key, asked, seed)
            heard.again = False
        for other in BACKENDS:
            understudy = Understudy(other, recorder)
            truth = ELSEWHERE if other == key else key
            stood_in = _op(op, truth, listening, recorder, {truth: listening, other: cast("Runner", understudy)})
            yield from _checked(stood_in, other, understudy, asked, seed)
            yield from _diagnosed(stood_in, other, understudy, asked, seed)


def steps(key: str, asked: Asked) -> int:
    """Return how many steps a rehearsal has, for showing progress."""
    own = 0 if key == "oracle" else len(_tasks(None, key, asked, asked.modes))
    return len(asked.seeds) * (own + sum(2 * len(_tasks(None, k, asked, ("eager",))) + _CASTS for k in BACKENDS))


def _op(op: Op, truth: str, runner: Runner, recorder: Recorder, answers: dict[str, Runner]) -> Op:
    found = standing_in(op.name, truth, runner, op.inputs, op.statics, op.contract, {})
    found.answers = {k: v for k, v in answers.items() if k != "oracle"}  # which is asked through the op itself
    found.memory = recorder
    return found


def _tasks(op: Op | Pair | None, key: str, asked: Asked, modes: Sequence[str]) -> list[Task]:
    widest = max(asked.dtypes, key=FLOATS.index)

    def wanted(c: Check, dtype: str) -> bool:
        return key in c.runners and (not c.once or dtype == widest)

    every = (
        Task(cast("Op", op), name, key, "cpu", mode, dtype)
        for mode in modes
        for dtype in asked.dtypes
        for name, c in checks().items()
        if wanted(c, dtype)
    )
    return [task for task in every if asked.keyword in task.id]


def _own(op: Op, key: str, asked: Asked, seed: int) -> Iterator[None]:
    """Check the side by itself, and ask for the causes of what it does wrong."""
    for mode in asked.modes:
        results = []
        for task in _tasks(op, key, asked, (mode,)):
            results.append(run(task, seed))
            yield
        list(diagnose(op, results, seed))


def _checked(op: Op, key: str, understudy: Understudy, asked: Asked, seed: int) -> Iterator[None]:
    """Check an understudy that is right, and one that raises."""
    for spoil in (as_it_is, raising):
        understudy.spoil = spoil
        for task in _tasks(op, key, asked, ("eager",)):
            run(task, seed)
            yield


_CASTS: Final = len(SPOILS) + 1


def _diagnosed(op: Op, key: str, understudy: Understudy, asked: Asked, seed: int) -> Iterator[None]:
    """Ask for the causes of all that can be wrong."""
    results = [
        Result(op.name, task.check, key, "cpu", "eager", task.dtype, seed, "differ", "", (Finding("rehearsed"),))
        for task in _tasks(op, key, asked, ("eager",))
    ]
    for name, spoil in SPOILS.items():
        evidence = _Suspicious(op, key, "cpu", "eager", results, seed)
        right: set[str] = set()  # the cases before the first wrong one
        for case in [None, *_ordinary(evidence)] if name in {"noisy", "doubled"} else [None]:
            if case is not None:
                right.add(digest(case))
            understudy.spoil = _but(right, spoil)
            _detect(_Suspicious(op, key, "cpu", "eager", results, seed))
        yield
    understudy.spoil = as_it_is
    _detect(_Suspicious(op, key, "cpu", "eager", results, seed))
    yield


def _ordinary(evidence: Evidence) -> list[Case]:
    try:
        return list(evidence.probe(evidence.dtype).ordinary())
    except NoTruthError:
        return []


def _but(right: set[str], spoil: Spoil) -> Spoil:
    known = frozenset(right)

    def spoilt(case: Case, outcome: Outcome) -> Outcome:
        return outcome if known and digest(case) in known else spoil(case, outcome)

    return spoilt


def _detect(evidence: Evidence) -> None:
    for cause in causes().values():
        try:
            cause.detect(evidence)
        except RunnerError:
            raise
        except (PortingError, NoTruthError):
            continue
        except Exception:  # noqa: BLE001, S112 - no finding says what is suspected here, so an experiment may fall over
            continue


class _Suspicious(Evidence):
    """Evidence of which every check says whatever a detector looks for, so that each makes its experiments."""

    def finding(self, check: str, *words: str) -> Finding | None:  # noqa: ARG002 - see the class
        """Return a finding that says it."""
        return self.results[0].findings[0] if self.results else None

    def said(self, *words: str) -> Finding | None:
        """Return a finding that says it."""
        return self.finding("", *words)

    def differs(self, *checks: str) -> bool:  # noqa: ARG002 - see the class
        """Suspect it."""
        return True

    def differs_in(self, dtype: str) -> bool:  # noqa: ARG002 - see the class
        """Suspect it."""
        return True
