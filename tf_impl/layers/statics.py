"""What all layers have in common: the arguments of the constructor are attributes, and are saved."""

from inspect import signature
from typing import Any

import keras
from tensorflow import Tensor

if keras.backend.backend() != "tensorflow":
    raise ImportError(f"Keras runs on {keras.backend.backend()}: these layers want it on TensorFlow, by KERAS_BACKEND")

registered = keras.saving.register_keras_serializable(package="gradport")


class Statics(keras.Layer):
    """A layer that holds what its op is called with. The mask of its input is that of its output."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments of the constructor as they are now."""
        arguments = (name for name in signature(self.__init__).parameters if name in vars(self))
        return super().get_config() | {name: vars(self)[name] for name in arguments}

    def compute_output_spec(self, *inputs: Any, **options: Any) -> Any:
        """Return shapes and types for dense inputs: Keras 3.15 takes an input times a number for sparse."""
        inputs, options = keras.tree.map_structure(_dense, (inputs, options))
        return super().compute_output_spec(*inputs, **options)

    def compute_mask(self, inputs: Any, previous_mask: Tensor | None = None) -> Tensor | None:
        """Return the mask of the first input."""
        return previous_mask


def _dense(x: Any) -> Any:
    return keras.KerasTensor(x.shape, x.dtype) if isinstance(x, keras.KerasTensor) and x.sparse else x


class Unmasked(Statics):
    """A layer whose output has other axes than its input: there is no mask for it."""

    def compute_mask(self, inputs: Any, previous_mask: Tensor | None = None) -> None:
        """Return none."""
