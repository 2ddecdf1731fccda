"""`porting check --watch`: checks a pair, and again whenever one of its files is saved, until Ctrl-C."""

import argparse
import os
import re
import signal
import sys
import time
from collections.abc import Sequence
from copy import copy
from pathlib import Path
from typing import Any, Final

from rich.text import Text

from porting.backends import BACKENDS, TITLES
from porting.cli import own
from porting.cli.asked import asked, save, show
from porting.cli.console import console
from porting.cli.progress import Progress
from porting.cli.streams import reader_is_gone
from porting.dtypes import FLOATS
from porting.engine.check import check
from porting.engine.imported import is_local
from porting.engine.preload import preload
from porting.engine.watch import Files, State, places, warm
from porting.errors import PairError, PortingError
from porting.pairs.pair import Pair
from porting.parity.blame import settle
from porting.parity.finding import Result
from porting.parity.plan import Task, UsageError
from porting.parity.report import EXIT_USAGE, Report
from porting.report.text import result_line
from porting.runners import RUNNERS

_EVERYDAY: Final = ("value", "vjp")  # cheap, and wrong first: their verdicts are shown as they come
_POLL: Final = 0.2  # seconds between two looks at the files
_AGAIN: Final = 2.0  # seconds after which a run that has not stopped is told again
_NAMED: Final = 5  # files on the last line
_FRAME: Final = re.compile(r'^ *File "(.+)", line (\d+)', re.MULTILINE)


def watch(args: argparse.Namespace) -> int:
    """Check until Ctrl-C.

    Returns
    -------
    int
        The exit code of the last run that was finished; 130 if there is none. The end of who reads it ends it too.

    Raises
    ------
    KeyboardInterrupt
        If there is no report yet, not even a part of one.
    PairError
        If there is nothing to watch, or the options contradict each other.
    """
    if not _sides(args):
        raise PairError("--watch without a side: give --torch FUNCTION, --tf FUNCTION or both")
    if args.save or args.compare:
        raise PairError("--watch checks again and again, --save and --compare are of one run: give one of the two")
    if args.format == "github":
        raise PairError("--watch waits for files that are saved, --format github is for CI: give one of the two")
    # A second save within a second would meet the byte code of the first: Python compares whole seconds.
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    return _Watch(args).until_interrupted()


def _sides(args: argparse.Namespace) -> list[str]:
    return [side for key in BACKENDS if (side := getattr(args, key)) is not None]


class _Watch:
    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        self.pair = _pair(args)
        self.named = [str(f) for f in (*_sides(args), args.oracle, args.surrogate_of) if f is not None]
        others = [Path(file) for file in (args.known, args.against) if file is not None]
        self.files = Files([*(place for name in self.named for place in places(name)), *others])
        self.code: int | None = None
        self.warm = self.full = self.begun = self.looking = self.dropped = False
        self.silent_until = 0.0

    def until_interrupted(self) -> int:
        """Check, and check again."""
        saved: list[Path] = []
        try:
            while True:
                if saved:
                    what = ", ".join(f"{_shown(path)} {'saved' if path.is_file() else 'gone'}" for path in saved)
                    console().rule(Text(f"{time.strftime('%H:%M:%S')}  {what}"), align="left", style="dim")
                self._once()
                self._look_in_between(on=False)
                if reader_is_gone() and self.code is not None:  # a watch that nobody reads
                    return self.code
                while not (saved := self.files.settled()):
                    time.sleep(_POLL)
        except KeyboardInterrupt:
            if self.code is None:  # nothing was shown
                raise
            return self.code
        finally:
            self._look_in_between(on=False)

    def _once(self) -> None:
        """Check, and say what came out, unless a file is saved in the meantime."""
        self.begun, self.dropped, self.silent_until = False, False, 0.0
        try:
            self._attempt()
        except KeyboardInterrupt:
            if not self.dropped:
                raise

    def _attempt(self) -> None:
        began = time.monotonic()
        try:
            self._ensure_written()
            report = self._report()
            if self.dropped:
                return
            self._show(report, time.monotonic() - began)
            if report.interrupted:
                self.code = report.exit_code if self.code is None else self.code
                raise KeyboardInterrupt
            self.code = report.exit_code
            save(report, self.args)
            self._show_files()
        except PortingError as error:
            self._look_in_between(on=False)
            if error.internal or isinstance(error, UsageError) or (self.code is None and not self.begun):
                raise  # no save mends that
            self.code = EXIT_USAGE
            print(f"{in_one_line(str(error))}; waiting for the next save", file=sys.stderr, flush=True)

    def _report(self) -> Report:
        told: set[tuple[Any, ...]] = set()
        pair = _pair(self.args)  # a new one each time: it remembers what it has loaded
        with Progress("checks", quiet=self.args.quiet) as progress:

            def begin(total: int) -> None:
                self._warm()
                progress.start(total)
                self.begun = True
                self._look_in_between(on=True)

            def hear(result: Result) -> None:
                progress.step()
                (result,) = settle([result], [pair], strict=self.args.strict)
                what = (result.side, result.check if result.check in _EVERYDAY else result.status)
                if (result.check in _EVERYDAY or result.status == "differ") and what not in told:
                    told.add(what)
                    if not self.args.quiet:
                        progress.say(result_line(result))
                if not hasattr(signal, "setitimer"):
                    self._look()

            options = {**asked(self.args), "jobs": max(self.args.jobs, len(self.pair.compared)), "isolate": True}
            report = check(pair, **options, order=_order, on_start=begin, on_result=hear, on_imported=self.files.add)
        self._look_in_between(on=False)
        return report

    def _ensure_written(self) -> None:
        """Spare the workers a file that is missing, or not written yet."""
        for name in self.named:
            path = Path(name.rpartition(":")[0])
            state = State.of(path)
            if path.suffix == ".py" and not (state and state.size):
                self.begun = True  # a save mends that
                raise PairError(f"{path}: {'is empty' if state else 'there is no such file'}")

    def _warm(self) -> None:
        """Have the frameworks loaded that any run will need, also if this one is of one side."""
        if self.warm:
            return
        keys = [key for key in self.pair.compared if key not in self.pair.answers]
        if keys and not self.args.quiet:
            print(f"porting: loading {' and '.join(TITLES[key] for key in keys)} once", file=sys.stderr, flush=True)
        warm(preload(RUNNERS[key].module for key in keys))
        self.warm = True

    def _show(self, report: Report, seconds: float) -> None:
        """Print the whole report once, afterwards findings and sums."""
        args = copy(self.args)
        args.quiet = args.quiet or self.full
        self.full = self.full or not report.interrupted
        show(report, args, seconds)
        if args.quiet:
            for problem in report.problems:
                console().print(problem, style="bold red", markup=False, soft_wrap=True)

    def _show_files(self) -> None:
        names = [_shown(path) for path in self.files.there]
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        line = f"watching {', '.join(names[:_NAMED])}{more}; Ctrl-C ends"
        console().print(line, style="dim", markup=False, highlight=False, soft_wrap=True)

    def _look_in_between(self, *, on: bool) -> None:
        """Look at the files while a run goes on, or stop looking; without a timer, at each result."""
        self.looking = on
        if hasattr(signal, "setitimer"):
            if on:
                signal.signal(signal.SIGALRM, lambda *_: self._look())
            signal.setitimer(signal.ITIMER_REAL, *((_POLL, _POLL) if on else (0, 0)))

    def _look(self) -> None:
        """Stop the run if a file was saved, as Ctrl-C does, where Ctrl-C may."""
        if not self.looking or time.monotonic() < self.silent_until:
            return
        if hasattr(signal, "pthread_sigmask") and signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ()):
            return
        if self.files.changed():
            # Once: the workers are being killed then. It may be lost, in a destructor say: then again.
            self.silent_until = time.monotonic() + _AGAIN
            self.dropped = True
            raise KeyboardInterrupt


def in_one_line(message: str) -> str:
    """Return the message of an error, with the place in the user's file instead of a traceback."""
    first, *lines = message.splitlines()
    frames = [*_FRAME.finditer(message)]
    if not lines or not frames:
        return first
    said = next((line for line in message[frames[-1].end() :].splitlines()[1:] if line[:1].strip()), lines[-1])
    theirs = [frame for frame in frames if is_local(frame[1])] or frames
    return f"{_shown(Path(theirs[-1][1]))}:{theirs[-1][2]}: {said}"


def _order(task: Task) -> Sequence[int]:
    """Have the everyday checks first, in the widest type."""
    if task.check not in _EVERYDAY:
        return (1,)
    return 0, -FLOATS.index(task.dtype), _EVERYDAY.index(task.check)


def _pair(args: argparse.Namespace) -> Pair:
    pair = own.pair_of(args)
    assert isinstance(pair, Pair)  # noqa: S101 - for mypy; there is a side
    return pair


def _shown(path: Path) -> str:
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)
