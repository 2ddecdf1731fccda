"""Strides."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence
from porting.diagnosis.written_in_place import is_of_writing


@cause(
    rank=87,
    alone=True,
)
def layout_dependent(e: Evidence) -> str | None:
    """The result depends on the memory layout of an input or of the cotangent.

    The cotangent of a sum has stride 0, that of a transposition is not contiguous: a kernel or a view that takes
    contiguous memory for granted crashes on them, or gives wrong numbers.
    """
    found = next((f for f in e.findings("layouts", how="layout") if not is_of_writing(e, f)), None)
    everyday = {f.fields["type"] for f in e.findings("value", "raised")}  # what is raised without any layout, too
    return found.seen if found and e.clean and found.fields.get("type") not in everyday else None
