"""Maximum of x and a bound; what lies below the bound gets a gradient where that moves it back."""

import tensorflow as tf
from tensorflow import Tensor


def lower_bound(x: Tensor, bound: Tensor, *, gradient: str = "identity_if_towards") -> Tensor:
    """max(x, bound), both of one shape; what lies below the bound gets dy where -dy moves it back."""
    x, bound = tf.identity(x), tf.identity(bound)
    if gradient not in ("identity_if_towards", "identity", "disconnected"):
        raise ValueError(f"gradient={gradient!r}: wanted one of identity_if_towards, identity, disconnected")
    if not bound.shape.is_compatible_with(x.shape):
        raise ValueError(f"bound of shape {list(bound.shape)}: wanted {list(x.shape)}, the shape of x")

    @tf.custom_gradient
    def forward(x: Tensor, bound: Tensor):
        def vjp(dy: Tensor) -> tuple[Tensor, Tensor]:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            if gradient == "identity":
                return dy, tf.zeros_like(dy)
            part = dy if gradient == "disconnected" else tf.maximum(dy, 0)
            held = tf.where(x < bound, part, 0)
            return dy - held, held

        return tf.maximum(x, bound), vjp

    return forward(x, bound)
