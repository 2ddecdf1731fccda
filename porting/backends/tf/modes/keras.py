"""A functional ``keras.Model`` around a layer that calls the op: saved as ``.keras``, loaded in a fresh process."""

import tempfile
from pathlib import Path

import keras

from porting.backends.tf.by_name import by_name
from porting.backends.tf.fresh import answered
from porting.backends.tf.in_mode import Answer, Asked
from porting.backends.tf.layer import NamedLayer


def answer(asked: Asked) -> Answer:
    """Return value and gradient of the model that was loaded."""
    asked.ensure_function()
    inputs = [keras.Input(batch_shape=x.shape, dtype=x.dtype.name) for x in asked.inputs]
    model = keras.Model(inputs, NamedLayer(by_name(asked))(*inputs))
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / "model.keras")
        model.save(file)
        return answered(asked, "keras", file)
