"""The matrix: one cell for each op and mode, with what could not be asked."""

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from porting.survive.cell import Cell

SCHEMA: Final = 1


@dataclass(frozen=True)
class Matrix:
    """Where custom gradients survive.

    Attributes
    ----------
    cells : tuple of Cell
        One for each op and mode that was asked.
    missing : mapping of str to str
        Frameworks that are not here, with the reason.
    environment : mapping of str to str
        The versions of Python, NumPy and the frameworks.
    described : tuple of str
        What pairs were called with.
    problems : tuple of str
        Accepted losses that are dead or expired.
    interrupted : bool
        Whether Ctrl-C ended the run early.
    """

    cells: tuple[Cell, ...]
    missing: dict[str, str] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)
    described: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    interrupted: bool = False

    @property
    def lost(self) -> tuple[Cell, ...]:
        """The cells in which a gradient is lost silently, and no accepted loss says why."""
        return tuple(cell for cell in self.cells if cell.fate == "lost silently" and not cell.accepted)

    @property
    def counts(self) -> dict[str, int]:
        """How many cells have each fate."""
        return dict(Counter(cell.fate for cell in self.cells))

    @property
    def exit_code(self) -> int:
        """0: nothing is lost silently; 1: something is; 5: nothing was compared; 130: interrupted."""
        if self.interrupted:
            return 130
        if self.lost or self.problems:
            return 1
        return 0 if any(cell.fate in {"kept", "lost silently"} for cell in self.cells) else 5

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {"schema": SCHEMA, **asdict(self), "counts": self.counts, "exit_code": self.exit_code}
