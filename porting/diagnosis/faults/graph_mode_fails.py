"""In a graph."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=93,
    alone=True,
)
def graph_mode_fails(e: Evidence) -> str | None:
    """The op works eagerly and fails in a tf.function.

    In a graph a tensor has no value yet: .numpy(), Python's if and float() on it are errors there, and a Python
    number in tf.where has float32's type.
    """
    found = e.finding("traced", "raised", how="function") or e.finding("traced", "raised", how="function again")
    alone = found is not None and found.has(stage="forward") and e.raised is None  # no wrong number explains that
    return found.what if found and (alone or e.clean) else None
