"""vmap."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=92,
    alone=True,
)
def wrong_vmap(e: Evidence) -> str | None:
    """The vmap rule does not give what a loop over the samples gives.

    A rule gets the mapped axis wherever the caller has it (in_dims, None for an argument that is not mapped), and has
    to say where its own output has it.
    """
    found = e.finding("vmap")
    return found.seen if found and e.clean else None
