"""Progress with an estimate of the time left, on stderr: a bar on a terminal, a line now and then elsewhere."""

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

if TYPE_CHECKING:
    from rich.text import Text

_SILENCE: Final = 10.0  # seconds between two lines where there is no terminal
_LONG: Final = 120.0  # seconds: more are worth a word


class Progress:
    """Counts steps; a context manager.

    Parameters
    ----------
    what : str
        What is counted: ``checks``.
    quiet : bool
        Show nothing.
    shorter : str
        What makes it shorter, said once where it would take long.
    """

    def __init__(self, what: str, *, quiet: bool = False, shorter: str = "") -> None:
        self.what, self.quiet, self.shorter = what, quiet, shorter
        self.done, self.total = 0, 0
        self.began = self.spoke = time.monotonic()
        self._bar: object | None = None

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def start(self, total: int) -> None:
        """Say how many steps there are."""
        self.total = total
        self.began = self.spoke = time.monotonic()
        if self.quiet or not sys.stderr.isatty():
            return
        from rich import progress

        from porting.cli.console import console

        bar = progress.Progress(
            progress.TextColumn("{task.description}"),
            progress.BarColumn(),
            progress.MofNCompleteColumn(),
            progress.TimeElapsedColumn(),
            progress.TextColumn("left:"),
            progress.TimeRemainingColumn(),
            console=console(stderr=True),
            transient=True,
        )
        bar.add_task(self.what, total=total)
        bar.start()
        self._bar = bar

    def step(self, count: int = 1) -> None:
        """Count steps that are done."""
        if not self.done:  # the first step brings the start-up with it
            self.began = time.monotonic()
        self.done += count
        if self._bar is not None:
            self._bar.advance(self._bar.task_ids[0], count)  # type: ignore[attr-defined]  # rich, imported late
        now = time.monotonic()
        if not self.quiet and now - self.spoke >= _SILENCE:
            self.spoke = now
            timed = self.done - 1  # steps since the first one
            left = (now - self.began) / max(timed, 1) * (self.total - self.done)
            if self._bar is None:
                estimate = f", about {max(left, 1):.0f} s left" if timed > 0 and self.done < self.total else ""
                self._tell(f"{self.done} of {self.total} {self.what}{estimate}")
            if self.shorter and left > _LONG:
                self._tell(self.shorter)
                self.shorter = ""

    def within(self, where: str) -> None:
        """Say what is done of the step that is being made."""
        if self._bar is not None:
            shown = f"{self.what}: {where}"
            self._bar.update(self._bar.task_ids[0], description=shown)  # type: ignore[attr-defined]  # rich, imported late
        elif not self.quiet and time.monotonic() - self.spoke >= _SILENCE:
            self.spoke = time.monotonic()
            self._tell(f"{self.done} of {self.total} {self.what}; {where}")

    def _tell(self, line: str) -> None:
        """Write a line on stderr, above the bar where there is one."""
        if self._bar is not None:
            self._bar.console.print(f"porting: {line}", markup=False, highlight=False)  # type: ignore[attr-defined]
        else:
            print(f"porting: {line}", file=sys.stderr, flush=True)

    def say(self, line: "Text") -> None:
        """Print a line on stdout: above the bar, where both are on one terminal."""
        from porting.cli.console import console

        shown = console()
        if self._bar is not None and sys.stdout.isatty():
            shown = self._bar.console  # type: ignore[attr-defined]  # rich, imported late
        shown.print(line, soft_wrap=True)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()  # type: ignore[attr-defined]  # rich, imported late
