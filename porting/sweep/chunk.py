"""The units that a sweep hands out: one op with all its sides, for one seed or a few."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from porting.parity.known import KnownDifference
from porting.parity.plan import Task

_LEAST: Final = 16  # checks of a chunk: less is not worth a message to another process


@dataclass(frozen=True)
class Settings:
    """How every chunk is checked.

    Attributes
    ----------
    accepted : tuple of KnownDifference
        What may differ.
    strict : bool
        See `porting.check`.
    timeout, memory : float
        Of the process below the worker, see `porting.check`.
    environment : mapping of str to str, optional
        The versions that a worker must have; without, any will do.
    """

    accepted: tuple[KnownDifference, ...] = ()
    strict: bool = False
    timeout: float = 60.0
    memory: float | None = 8.0
    environment: Mapping[str, str] | None = None


@dataclass(frozen=True)
class Chunk:
    """All tasks of one op, for some seeds."""

    tasks: tuple[Task, ...]
    seeds: tuple[int, ...]
    settings: Settings = field(default_factory=Settings)


class Chunks:
    """The chunks of a plan by number: none is made before it is asked for.

    Parameters
    ----------
    tasks : sequence of Task
        Of all ops.
    seeds : range
        Each task is done with each of them.
    settings : Settings
        Of every chunk; of what may differ a chunk gets what is of its op.
    """

    def __init__(self, tasks: Sequence[Task], seeds: range, settings: Settings) -> None:
        by_op: dict[object, list[Task]] = {}
        for task in tasks:
            by_op.setdefault(task.op, []).append(task)
        self._groups = [tuple(group) for group in by_op.values()]
        self._seeds, self._settings = seeds, settings
        self._each = [max(1, -(-_LEAST // len(group))) for group in self._groups]
        self._counts = [-(-len(seeds) // each) for each in self._each]

    def __len__(self) -> int:
        return sum(self._counts)

    def __getitem__(self, number: int) -> Chunk:
        """Return one: the ops take turns, so that each is tried with the first seeds early."""
        if not 0 <= number < len(self):
            raise IndexError(number)
        turn, left, there = 0, number, list(range(len(self._counts)))
        for end in sorted({*self._counts}):  # until then the same ops take turns
            if left < (end - turn) * len(there):
                break
            left -= (end - turn) * len(there)
            turn, there = end, [k for k in there if self._counts[k] > end]
        turn, group = turn + left // len(there), there[left % len(there)]
        tasks, each = self._groups[group], self._each[group]
        own = tuple(a for a in self._settings.accepted if a.op == tasks[0].op.name)
        return Chunk(tasks, tuple(self._seeds[turn * each : (turn + 1) * each]), replace(self._settings, accepted=own))
