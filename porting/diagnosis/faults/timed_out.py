"""It does not come back."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=1,
    alone=True,
)
def timed_out(e: Evidence) -> str | None:
    """The op did not come back in time.

    An endless loop or an iteration that does not converge for these inputs (implicit layers iterate: bound the number
    of steps), or a wait for something that never comes. `--timeout` says how long a check may take.
    """
    found = e.said("process_ended", reason="timeout")
    return found.what if found else None
