"""Runners for recordings: one records the answers of a side, one replays them in its place."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from porting.recordings.memory import Recorder, Recording
from porting.runners import Case, Outcome, Runner
from porting.spec import Op


class Listening:
    """Asks a runner about one fixed op, and has the answers recorded.

    Parameters
    ----------
    runner : Runner
        Who answers.
    op : Op
        The op that is run, in place of the op of the case.
    recorder : Recorder
        Who remembers.
    """

    def __init__(self, runner: Runner, op: Op, recorder: Recorder) -> None:
        self._runner = runner
        self._op = op
        self._recorder = recorder
        self.again = False  # ask anew what was asked before, to hear whether the answer is the same

    def __getattr__(self, name: str) -> Any:
        """Be the runner in all else."""
        return getattr(self._runner, name)

    def where(self, op: Op) -> str:  # noqa: ARG002 - it has one op
        """Return where the function stands."""
        return self._runner.where(self._op)

    def run(self, case: Case) -> Outcome:
        """Ask the runner, and have the answer recorded."""
        return self._recorder.answer(case, lambda c: self._runner.run(replace(c, op=self._op)), again=self.again)


class Bound:
    """Asks a runner about one fixed op, in place of the op of the case: today's op, if the truth is a recording."""

    def __init__(self, runner: Runner, op: Op) -> None:
        self._runner = runner
        self._op = op

    def __getattr__(self, name: str) -> Any:
        """Be the runner in all else."""
        return getattr(self._runner, name)

    def where(self, op: Op) -> str:  # noqa: ARG002 - it has one op
        """Return where the function stands."""
        return self._runner.where(self._op)

    def run(self, case: Case) -> Outcome:
        """Ask about the op."""
        return self._runner.run(replace(case, op=self._op))


class RecordingRunner:
    """Answers with a recording; see `porting.runners.protocol.Runner`.

    Parameters
    ----------
    side : mapping
        The recorded side: key, module, title, modes, layouts, uses, mutable, version, where.
    recording : Recording
        The answers.
    """

    def __init__(self, side: Mapping[str, Any], recording: Recording) -> None:
        self.key: str = side["key"]
        self.module = "numpy"
        self.title: str = side["title"]
        self.modes: tuple[str, ...] = tuple(side["modes"])
        self.whole = self.modes
        self.layouts: tuple[str, ...] = tuple(side["layouts"])
        self.uses: tuple[str, ...] = tuple(side["uses"])
        self.mutable: bool = side["mutable"]
        self._side = side
        self._recording = recording

    def missing(self) -> str | None:
        """Return `None`: the file has everything that is needed."""
        return None

    def version(self) -> str:
        """Return the version of the framework at the time of the recording."""
        return f"{self._side['version']}, recorded"

    def devices(self) -> dict[str, str | None]:
        """Return the CPU only."""
        return {"cpu": None}

    def where(self, op: Op) -> str:  # noqa: ARG002 - it has one op
        """Return where the function was when it was recorded."""
        where: str = self._side["where"]
        return where

    def state(self) -> dict[str, Any]:
        """Return nothing: nothing runs."""
        return {}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Do nothing."""

    def run(self, case: Case) -> Outcome:
        """Give the recorded answer."""
        return self._recording.answer(case)
