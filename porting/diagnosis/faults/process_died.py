"""The process died."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=1,
    alone=True,
    kind="framework fault",
)
def process_died(e: Evidence) -> str | None:
    """The process that ran the op was ended by it.

    A segmentation fault, an abort or a call of exit() in the op or in a library beneath it. Code written in Python
    alone does not do that: either the op leaves the process on purpose, or the framework or an extension has a fault
    (PyTorch 2.13 dies in the backward of `torch.nn.functional.pdist` for no rows). The check went on in another
    process.
    """
    found = e.said("process_ended", reason="signal") or e.said("process_ended", reason="exit")
    return found.what if found else None
