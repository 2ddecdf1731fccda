"""The number of gradients."""

from typing import Final

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence

_SAID: Final = ("incorrect number of gradients",), ("expected to return", "gradients")


@cause(
    rank=10,
    alone=True,
    of_gradients=True,
)
def wrong_count(e: Evidence) -> str | None:
    """The backward returns another number of gradients than there are inputs.

    PyTorch wants one per argument of forward, with None for what is not differentiated; TensorFlow one per tensor
    argument and none for the rest. An argument was added to one of the two and not to the other.
    """
    if e.raised is None:
        return None
    if _counts(e.raised.message):
        return f"{e.raised} at {e.raised.where}"
    told = [f for r in e.results if r.status in {"differ", "note"} for f in r.findings if f.code == "raised"]
    counted = (f.what for f in told if _counts(f.fields["message"]))
    return next(counted, None) if e.raised.stage == "backward" else None  # inputs of other axes come that far


def _counts(message: str) -> bool:
    return any(all(word in message for word in words) for words in _SAID)
