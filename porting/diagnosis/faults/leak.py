"""Memory that stays."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=100,
    alone=True,
)
def leak(e: Evidence) -> str | None:
    """An output stands on ctx: a cycle, which is freed by the garbage collector only.

    The graph holds ctx, ctx holds the output, the output holds the graph. GPU memory fills up before Python's
    collector, which knows nothing of it, comes by.
    """
    found = e.finding("leak", "never_freed")
    return f"{found.what}; {found.details[0]}" if found else None
