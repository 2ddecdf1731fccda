"""What is saved, in place."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=17,
    alone=True,
    torch="Leave saved tensors and outputs as they are: x = x * 2 instead of x.mul_(2), no .data, no out=.",
    tf="Leave what the closure holds as it is: no list that shrinks, no iterator that is used up.",
)
def overwrites_saved(e: Evidence) -> str | None:
    """A second backward through the same graph gives another gradient: saved values are changed or used up.

    With retain_graph=True, or a persistent tape, the backward runs more than once on what the forward saved.
    """
    found = e.finding("retained") or e.finding("inputs_unchanged", "overwritten", name="y")
    return found.seen if found and e.clean else None
