"""Eagerly."""

from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=12,
    alone=True,
    of_gradients=True,
)
def eager_gradient(e: Evidence) -> str | None:
    """Eagerly the gradient is another one than in a tf.function.

    gradient_override_map acts where a graph is made. Eagerly TensorFlow takes the operation's own gradient: the one
    that the author wrote is not used.
    """
    found = e.finding("traced", "differs", truth="plain", quantity="gradient")
    if found is None or found.worst is None or e.example is None:
        return None
    worst = found.worst
    return f"{worst.label} = {worst.got:.9g} in a tf.function, {worst.want:.9g} in an ordinary call"
