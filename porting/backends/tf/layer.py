"""Keras layers that call an op."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import keras

from porting.backends.tf.by_name import named

if TYPE_CHECKING:
    from collections.abc import Callable


class OpLayer(keras.layers.Layer):  # type: ignore[misc]  # Keras has no types
    """Calls a function of tensors, in the type that the policy of the layer says.

    Parameters
    ----------
    function : callable
        Returns the outputs.
    """

    def __init__(self, function: Callable[..., Any], **settings: Any) -> None:
        super().__init__(**settings)
        self.function = function

    def call(self, *inputs: Any) -> Any:
        """Return the outputs."""
        return self.function(*inputs)


class NamedLayer(OpLayer):
    """Calls an op that another process finds by its name, and leaves the types of its inputs alone.

    Parameters
    ----------
    name_of_op : str
        What `porting.backends.tf.by_name.by_name` returned; the configuration of the layer.
    """

    def __init__(self, name_of_op: str, **settings: Any) -> None:
        super().__init__(named(name_of_op), **{**settings, "autocast": False})
        self.name_of_op = name_of_op

    def get_config(self) -> dict[str, Any]:
        """Return what the layer is made from."""
        return {**super().get_config(), "name_of_op": self.name_of_op}
