"""A SavedModel with TensorFlow's default options, loaded in a fresh process that has no code of the op."""

import tempfile

import tensorflow as tf

from porting.backends.tf.fresh import answered
from porting.backends.tf.in_mode import Answer, Asked


def answer(asked: Asked) -> Answer:
    """Return value and gradient of the model that was loaded."""
    return loaded(asked, tf.saved_model.SaveOptions())


def loaded(asked: Asked, options: tf.saved_model.SaveOptions) -> Answer:
    """Return value and gradient of a model that was saved with these options."""
    asked.ensure_function()
    module = tf.Module()
    signature = [tf.TensorSpec(x.shape, x.dtype) for x in asked.inputs]
    module.op = tf.function(asked.of, input_signature=signature, autograph=False)
    with tempfile.TemporaryDirectory() as folder:
        tf.saved_model.save(module, folder, options=options)
        process = f"without code, gradients {'' if options.experimental_custom_gradients else 'not '}loaded"
        return answered(asked, "saved model", folder, process)
