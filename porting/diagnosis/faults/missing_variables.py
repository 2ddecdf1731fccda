"""The argument variables."""

from porting.backends import having
from porting.diagnosis.cause import cause
from porting.diagnosis.evidence import Evidence


@cause(
    rank=11,
    alone=True,
)
def missing_variables(e: Evidence) -> str | None:
    """The op reads a tf.Variable, but its gradient function does not take `variables`.

    TensorFlow watches every trainable variable that the body reads and asks the gradient function for their gradients,
    through the keyword argument `variables`; without one it raises.
    """
    found = e.raising("variables", "grad")
    return found.what if found and e.runner in having("captured variables") else None
