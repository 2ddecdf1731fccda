"""How long checks may take: one that is over its time makes no further case, and says what was slow."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, isfinite
from time import monotonic
from typing import Final

from porting.runners.base import called, whose

CUT: Final = "cut short"  # how a note begins of what was compared in part
_FIRST: Final = ("value", "vjp", "adjoint")  # where time is short
_LAST: Final = ("large",)
_BORROWED: Final = 3.0  # times its equal share that one check may take: most take less
_OF_TIMEOUT: Final = 2 / 3  # after that a check ends by itself, before its process is ended


@dataclass(frozen=True)
class Budget:
    """Seconds that one check may take, and all checks of one side."""

    check: float = inf
    side: float = inf

    def until(self, begun: float, left: int, check: str, since: float = inf) -> float:
        """Return when a check has to be done, on the clock `monotonic`; `left` are still to be made, with this one.

        Its own time counts from `since`, if that is over: what was asked before the first check is a part of it.
        """
        now = monotonic()
        share = 1 / 2 if check in _FIRST else _BORROWED / left
        return min(min(now, since) + self.check, now + (begun + self.side - now) * share, begun + self.side)


def cheapest_first(check: str) -> int:
    """Return the place of a check where time is short: values and gradients first, large arrays last."""
    return 0 if check in _FIRST else 2 if check in _LAST else 1


def budget(seconds: float | None, sides: int, jobs: int, timeout: float) -> Budget:
    """Return what each of some sides may take; `timeout` is when the process of one check is ended."""
    side = inf if seconds is None else seconds * min(jobs, sides) / max(sides, 1)
    return Budget(timeout * _OF_TIMEOUT if isfinite(timeout) else inf, side)


def cut_short(seconds: float, stages: Mapping[str, float]) -> str:
    """Say that a check was ended, and in which stage most of the time went."""
    stage, longest = max(stages.items(), key=lambda item: item[1], default=("", 0.0))
    entered, side = whose(stage)
    where = f", {longest:.1f} s of it in {f'{called(side)}, ' if side else ''}{entered}" if stage else ""
    return f"{CUT} after {seconds:.1f} s{where}; the cases that were left are not compared"
