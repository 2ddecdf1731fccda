"""XLA."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=95,
    alone=True,
    kind="portability",
)
def xla_unsupported(e: Evidence) -> str | None:
    """The op cannot be compiled by XLA, or is wrong when it is.

    jit_compile=True, TPUs and Keras' default on GPUs compile the op; an operation without a kernel there raises.
    """
    found = e.finding("xla")
    if not found or e.differs("traced"):
        return None
    refused = found.code == "raised" and e.raised is None  # whatever is wrong with the numbers
    return found.seen if refused or e.clean else None
