"""Settings of the process."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=7,
    alone=True,
)
def global_state(e: Evidence) -> str | None:
    """The op changes a setting of the framework or of the process.

    The default type, the grad mode, the state of random numbers, the number of threads, the working folder: other code
    of the process gets the changed setting, and results depend on the order of calls.
    """
    found = e.finding("global_state", "setting_changed")
    drawn = found is not None and "random state" in found.fields["setting"] and e.finding("repeated", "changes")
    return found.what if found and not drawn else None  # who draws numbers moves their state on
