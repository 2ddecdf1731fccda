"""One step of a leaky integrate-and-fire neuron."""

import tensorflow as tf
from tensorflow import Tensor


def lif_step(x: Tensor, v: Tensor, *, decay: float, threshold: float, slope: float) -> tuple[Tensor, Tensor]:
    """Spike and next potential, both of the inputs' one shape; the reset is not differentiated."""
    if not (0 <= decay <= 1 and slope > 0):
        raise ValueError(f"decay={decay}, slope={slope}: wanted 0 <= decay <= 1 and slope > 0")
    x, v = tf.identity(x), tf.identity(v)
    if not x.shape.is_compatible_with(v.shape):
        raise ValueError(f"x of shape {list(x.shape)}, v of shape {list(v.shape)}: wanted one shape")

    @tf.custom_gradient
    def forward(x: Tensor, v: Tensor):
        u = decay * v + x
        spike = tf.cast(u > threshold, u.dtype)
        v_next = u - threshold * spike

        def vjp(dspike: Tensor, dv_next: Tensor) -> tuple[Tensor, Tensor]:
            dspike, dv_next = (
                tf.convert_to_tensor(dspike),
                tf.convert_to_tensor(dv_next),
            )  # they may be tf.IndexedSlices
            above = v_next + threshold * (spike - 1)  # u - threshold
            r = 1 / (1 + slope * tf.abs(above))
            dx = dspike * r * r + dv_next
            return dx, decay * dx

        return (spike, v_next), vjp

    return forward(x, v)
