"""Makes a dry run of the checks of a side that is not there yet, and records all that they ask the other side."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final, cast

import numpy as np

from porting.backends import BACKENDS, CATALOGUED
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
from porting.parity.run import op_of, run
from porting.recordings.memory import Recorder, digest
from porting.recordings.runner import Listening
from porting.recordings.understudy import SPOILS, Spoil, Understudy, as_it_is, raising, raising_in_use
from porting.runners import Case, Outcome, Runner, runner_of
from porting.spec import Op
from porting.subject import Subject


@dataclass(frozen=True)
class Asked:
    """What to record: types and modes, a keyword that the ids of the checks contain, and seeds."""

    dtypes: tuple[str, ...]
    modes: tuple[str, ...]
    keyword: str
    seeds: tuple[int, ...]


@dataclass(frozen=True)
class Scope:
    """What the dry run covers: the side to be checked, how its stub answers, and whose faults are looked for.

    If a side raises, the other side is run on the same case; the oracle is not asked for that. The oracle is there in
    the later check too, so the faults of one backend are enough, from the first everyday case on.
    """

    roles: tuple[str, ...] = tuple(BACKENDS)
    manners: tuple[Spoil, ...] = (as_it_is, raising, raising_in_use)
    suspected: tuple[str, ...] = tuple(BACKENDS)
    every_first: bool = True


_SCOPE: Final = Scope()
_OF_THE_ORACLE: Final = Scope((*BACKENDS, "oracle"), (as_it_is,), CATALOGUED[:1], every_first=False)


def scope_of(key: str) -> Scope:
    """Return the scope for a recorded side."""
    return _OF_THE_ORACLE if key == "oracle" else _SCOPE


def rehearse(op: Op, key: str, recorder: Recorder, asked: Asked) -> Iterator[None]:
    """Ask one side everything that later checks may ask, and record the answers; yields between two steps.

    Parameters
    ----------
    op : Op
        The op; this side is its truth.
    key : str
        Who answers: ``torch``, ``tf`` or ``oracle``.
    recorder : Recorder
        Who remembers.
    asked : Asked
        For which checks.
    """
    heard = Listening(runner_of(op, key), op, recorder)
    listening = cast("Runner", heard)
    scope = scope_of(key)
    for seed in asked.seeds:
        if key != "oracle":
            heard.again = True
            yield from _own(_op(op, key, listening, recorder, {key: listening}), key, asked, seed)
            heard.again = False
        for other in scope.roles:
            understudy = Understudy(other, recorder)
            truth = ELSEWHERE if other == key != "oracle" else key
            answers = {} if truth == "oracle" else {truth: listening}  # the oracle is asked through the op itself
            stood_in = _op(op, truth, listening, recorder, {**answers, other: cast("Runner", understudy)})
            tasks = _tasks(stood_in, other, asked, ("eager",))
            for spoil in scope.manners:
                understudy.spoil = spoil
                for task in tasks:
                    _tried(task, seed)
                    yield
            if tasks and other in scope.suspected:
                yield from _diagnosed(tasks, understudy, seed, every_first=scope.every_first)


def steps(op: Op | Pair, key: str, asked: Asked) -> int:
    """Return how many steps a dry run has, to show progress."""
    own = 0 if key == "oracle" else len(_tasks(op, key, asked, asked.modes))
    scope = scope_of(key)
    checked = len(scope.manners) * sum(len(_tasks(op, role, asked, ("eager",))) for role in scope.roles)
    return len(asked.seeds) * (own + checked + (len(SPOILS) + 1) * len(scope.suspected)) if checked else 0


def _op(op: Op, truth: str, runner: Runner, recorder: Recorder, answers: dict[str, Runner]) -> Subject:
    found = standing_in(op.name, truth, runner, op.inputs, op.statics, op.contract, {})
    found.answers = answers
    found.memory = recorder
    found.stands_for = op
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


def _tried(task: Task, seed: int) -> Result | None:
    """Run a task; of somebody's function that breaks a check, nothing more is to be heard."""
    try:
        return run(task, seed)
    except PortingError:
        raise
    except Exception:  # noqa: BLE001 - it answers differently from call to call, perhaps
        return None


def _diagnosed(tasks: Sequence[Task], understudy: Understudy, seed: int, *, every_first: bool) -> Iterator[None]:
    """Ask for the causes of all that can be wrong, in all everyday cases, or from one of them on."""
    finding = (Finding("rehearsed"),)
    results = [
        Result(t.op.name, t.check, t.runner, "cpu", "eager", t.dtype, seed, "differ", "", finding) for t in tasks
    ]

    def suspected(kind: type[_Suspicious] = _Suspicious) -> _Suspicious:
        return kind(op_of(tasks[0]), tasks[0].runner, "cpu", "eager", results, seed)

    ordinary = suspected().ordinary
    outputs = max((len(case.dy or ()) for case in ordinary), default=1)
    for name, spoil in SPOILS.items():
        firsts = range(len(ordinary) + 1) if name == "noisy" and every_first else [0]
        for first, output in product(firsts, range(outputs)):
            understudy.spoil = _from(ordinary[:first], output, spoil)
            _detect(suspected())
        yield
    for spoil in (as_it_is, SPOILS["noisy"]):
        understudy.spoil = spoil
        _detect(suspected())
        _detect(suspected(_Unsaid))
    yield


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

    says = True

    def finding(self, check: str, *codes: str, **wanted: Any) -> Finding | None:  # noqa: ARG002 - see the class
        """Return a finding that says it."""
        return self.results[0].findings[0] if self.results and self.says else None

    def said(self, *codes: str, **wanted: Any) -> Finding | None:
        """Return a finding that says it."""
        return self.finding("", *codes, **wanted)

    def raising(self, *words: str, which: Callable[[Finding], bool] = bool) -> Finding | None:  # noqa: ARG002 - as above
        """Return a finding that says it."""
        return self.finding("", *words)

    @property
    def value_wrong(self) -> bool:
        """Trust the forward, so that a side that is right in everyday cases is looked at for special ones."""
        return False

    def differs(self, *checks: str) -> bool:  # noqa: ARG002 - see the class
        """Suspect it."""
        return True

    def differs_in(self, dtype: str) -> bool:  # noqa: ARG002 - see the class
        """Suspect it."""
        return True


class _Unsaid(_Suspicious):
    """Evidence of which no check says what a detector looks for, so that each looks for itself."""

    says = False
