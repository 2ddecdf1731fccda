"""How long a guess is looked for: on a machine that is busy with other things no less is tried than on a quiet one."""

from time import monotonic, process_time
from typing import Final

_LONGEST: Final = 4  # times as long on the clock: what other processes compute for this one is not counted here


class Patience:
    """Seconds of the clock and of this process's own time; when both are gone, it is over.

    Parameters
    ----------
    seconds : float
        So many of each; on the clock four times as many at most.
    """

    def __init__(self, seconds: float) -> None:
        self._soonest, self._latest = (monotonic() + times * seconds for times in (1, _LONGEST))
        self._own = process_time() + seconds

    @property
    def over(self) -> bool:
        """Whether nothing more is to be tried."""
        now = monotonic()
        return now >= self._latest or (now >= self._soonest and process_time() >= self._own)
