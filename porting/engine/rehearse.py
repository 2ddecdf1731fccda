"""Rehearses the checks of a side that is not there yet: whatever they ask of the recorded one is remembered."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final, cast

import numpy as np

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
        for other in (*BACKENDS, *(["oracle"] if key == "oracle" else [])):
            understudy = Understudy(other, recorder)
            truth = ELSEWHERE if other == key != "oracle" else key
            answers = {} if truth == "oracle" else {truth: listening}  # the oracle is asked through the op itself
            stood_in = _op(op, truth, listening, recorder, {**answers, other: cast("Runner", understudy)})
            yield from _checked(stood_in, other, understudy, asked, seed)
            if other != "oracle":
                yield from _diagnosed(stood_in, other, understudy, asked, seed)


def steps(op: Op | Pair, key: str, asked: Asked) -> int:
    """Return how many steps a rehearsal has, for showing progress."""
    own = 0 if key == "oracle" else len(_tasks(op, key, asked, asked.modes))
    others = (*BACKENDS, *(["oracle"] if key == "oracle" else []))
    checked = sum(2 * len(_tasks(op, other, asked, ("eager",))) for other in others)
    return len(asked.seeds) * (own + checked + _CASTS * len(BACKENDS)) if checked else 0


def _op(op: Op, truth: str, runner: Runner, recorder: Recorder, answers: dict[str, Runner]) -> Op:
    found = standing_in(op.name, truth, runner, op.inputs, op.statics, op.contract, {})
    found.answers = answers
    found.memory = recorder
    return found


def _tasks(op: Op | Pair, key: str, asked: Asked, modes: Sequence[str]) -> list[Task]:
    widest = max(asked.dtypes, key=FLOATS.index)

    def wanted(c: Check, dtype: str) -> bool:
        has = c.name in {"value", "vjp"} if key == "oracle" else key in c.runners
        return has and (not c.once or dtype == widest)

    every = (
        Task(op, name, key, "cpu", mode, dtype)
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
            result = _tried(task, seed)
            results += [result] if result else []
            yield
        list(diagnose(op, results, seed))


def _checked(op: Op, key: str, understudy: Understudy, asked: Asked, seed: int) -> Iterator[None]:
    """Check an understudy that is right, and one that raises."""
    for spoil in (as_it_is, raising):
        understudy.spoil = spoil
        for task in _tasks(op, key, asked, ("eager",)):
            _tried(task, seed)
            yield


def _tried(task: Task, seed: int) -> Result | None:
    """Run a task; of somebody's function that breaks a check, nothing more is to be heard."""
    try:
        return run(task, seed)
    except PortingError:
        raise
    except Exception:  # noqa: BLE001 - it answers differently from call to call, perhaps
        return None


_CASTS: Final = len(SPOILS) + 1


def _diagnosed(op: Op, key: str, understudy: Understudy, asked: Asked, seed: int) -> Iterator[None]:
    """Ask for the causes of all that can be wrong."""
    results = [
        Result(op.name, task.check, key, "cpu", "eager", task.dtype, seed, "differ", "", (Finding("rehearsed"),))
        for task in _tasks(op, key, asked, ("eager",))
    ]
    ordinary = _ordinary(_Suspicious(op, key, "cpu", "eager", results, seed))
    outputs = max((len(case.dy or ()) for case in ordinary), default=1)
    for name, spoil in SPOILS.items():
        firsts = range(len(ordinary) + 1) if name in {"noisy", "doubled"} else [0]
        for first, output in product(firsts, range(outputs)):
            understudy.spoil = _from(ordinary[:first], output, spoil)
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


def _from(right: Sequence[Case], output: int, spoil: Spoil) -> Spoil:
    """Spoil all but the first cases, and only what comes through one output."""
    known = {digest(case) for case in right}

    def spoilt(case: Case, outcome: Outcome) -> Outcome:
        reached = not case.dy or output >= len(case.dy) or bool(np.any(case.dy[output] != 0))
        return spoil(case, outcome) if reached and digest(case) not in known else outcome

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

    @property
    def value_wrong(self) -> bool:  # type: ignore[override]  # found out once there, said here
        """Trust the forward, so that a side that is right in everyday cases is looked at for special ones."""
        return False

    def differs(self, *checks: str) -> bool:  # noqa: ARG002 - see the class
        """Suspect it."""
        return True

    def differs_in(self, dtype: str) -> bool:  # noqa: ARG002 - see the class
        """Suspect it."""
        return True
