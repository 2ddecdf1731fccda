"""Too much memory."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=2,
    alone=True,
)
def out_of_memory(e: Evidence) -> str | None:
    """The op asks for more memory than there is.

    An intermediate of all pairs, or a size that is computed from the data. The checks use small arrays and one of
    100,000 elements; `--memory` says how much a worker may take.
    """
    found = e.said("process_ended", reason="memory") or e.said("raised", type="MemoryError")
    found = found or e.said("raised", type="ResourceExhaustedError")
    found = found or e.raising("out of memory") or e.raising("can't allocate memory")
    return found.what if found else None
