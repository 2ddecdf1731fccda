"""A Keras layer of the policy ``mixed_bfloat16``: its inputs are float32, the op is given bfloat16."""

import tensorflow as tf

from porting.backends.tf.in_mode import Answer, Asked
from porting.backends.tf.layer import OpLayer
from porting.runners.modes import NotPossibleError


def answer(asked: Asked) -> Answer:
    """Return value and gradient, by the float32 inputs, in the type of the case."""
    asked.ensure_function()
    if asked.case.dtype != "bfloat16":
        raise NotPossibleError("a mixed policy computes in bfloat16: ask for that type")
    layer = OpLayer(asked.of, dtype="mixed_bfloat16")
    wide = [tf.cast(x, tf.float32) if x.dtype.is_floating else x for x in asked.inputs]
    outputs, dx = asked.taped(lambda *x: layer(*asked.all(x, wide)), [wide[place] for place in asked.wrt])
    return outputs, tuple(None if g is None else tf.cast(g, x.dtype) for g, x in zip(dx, asked.x, strict=True))
