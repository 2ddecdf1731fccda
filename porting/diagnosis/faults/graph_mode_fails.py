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
    number in tf.where or tf.maximum has float32's type. tf.custom_gradient takes arguments by place only there.
    """
    found = e.finding("traced", "raised", how="function") or e.finding("traced", "raised", how="function again")
    alone = found is not None and found.has(stage="forward") and e.raised is None  # no wrong number explains that
    if found is None or not (alone or e.clean):
        return None
    e.finding("xla", "raised", **{name: found.fields.get(name) for name in ("type", "stage", "where")})  # a graph too
    return found.what
