"""The number of gradients."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=10,
    alone=True,
    torch="Return one value per argument of forward, None for those that are not tensors: return dx, None",
    tf="Return one gradient per tensor that the decorated function takes; close over everything else.",
)
def wrong_count(e: Evidence) -> str | None:
    """The backward returns another number of gradients than there are inputs.

    PyTorch wants one per argument of forward, with None for what is not differentiated; TensorFlow one per tensor
    argument and none for the rest. An argument was added to one of the two and not to the other.
    """
    said = f"{e.raised.type}: {e.raised.message}" if e.raised else ""
    for words in (("incorrect number of gradients",), ("expected to return", "gradients")):
        if all(word in said for word in words):
            found = e.raising(*words)
            return found.what if found else said
    return None
