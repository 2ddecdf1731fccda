"""``GradientTape.jacobian``, whose rows are computed one after the other."""

from porting.backends.tf.in_mode import Answer, Asked
from porting.backends.tf.modes.jacobian import contracted


def answer(asked: Asked) -> Answer:
    """Return the Jacobian times the cotangents."""
    return contracted(asked, pfor=False)
