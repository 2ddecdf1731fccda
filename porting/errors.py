"""The root of every error that is the user's to mend: the command prints its message and exits with 2."""


class PortingError(Exception):
    """What was given cannot be used; the message says what was given, what is wanted and what to do."""

    internal = False  # whether it is our fault after all


class PairError(PortingError, ValueError):
    """A pair cannot be checked as it was given; the message says what is wanted."""


class UnsaidError(PairError):
    """What a module is made of, or called with, was not said, and it refuses what was tried; `why` says no more.

    `where` is the place in the source that refuses it; empty where that is not known.
    """

    def __init__(self, why: str, wanted: str, where: str = "") -> None:
        super().__init__(why, wanted)
        self.why = why
        self.where = where

    @property
    def located(self) -> str:
        """Return why, and where."""
        return f"{self.why}, at {self.where}" if self.where else self.why

    def __str__(self) -> str:
        """Return why, and what to type."""
        return "".join(self.args)


class RunnerError(PortingError):
    """Who should answer cannot, or cannot any more: the whole check ends, not one finding."""


class NoTruthError(Exception):
    """The side that has the truth where there is no oracle cannot answer; nothing can be said.

    `stage` is what it was at when it raised: ``forward``, ``backward``; empty where it did not raise.
    """

    def __init__(self, message: str, stage: str = "") -> None:
        super().__init__(message)
        self.stage = stage


class NotRecordedError(Exception):
    """The question was not asked when the recording was made; nothing can be said."""
