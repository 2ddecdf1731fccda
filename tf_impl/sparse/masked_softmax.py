"""Softmax over the elements that a mask leaves; a row without any gives 0."""

import tensorflow as tf
from tensorflow import Tensor


def masked_softmax(x: Tensor, mask: Tensor, *, axis: int = -1) -> Tensor:
    """Softmax along an axis where the mask, integers or booleans, is not 0; elsewhere 0."""
    x, mask = tf.identity(x), tf.identity(mask)
    if not (x.dtype.is_floating or x.dtype.is_complex):
        raise TypeError(f"x: floating numbers are wanted, got {x.dtype.name}")
    rank = x.shape.rank
    if rank is not None and (not -rank <= axis < rank or x.shape[axis] == 0):
        raise ValueError(f"axis={axis}: wanted an axis of x {x.shape.as_list()} that is not empty")
    if mask.dtype.is_floating:
        raise TypeError(f"mask: integers or booleans are wanted, got {mask.dtype.name}")
    if None not in (rank, mask.shape.rank) and (
        mask.shape.rank > rank
        or any(m not in {1, n, None} and n is not None for m, n in zip(mask.shape[::-1], x.shape[::-1], strict=False))
    ):
        raise ValueError(
            f"mask {mask.shape.as_list()}: wanted a shape that broadcasts to that of x {x.shape.as_list()}"
        )

    @tf.custom_gradient
    def known(x: Tensor, y: Tensor):
        """y, which is known, as the function of x that it is: the tape keeps nothing of how it was found."""

        def vjp(dy: Tensor) -> tuple[Tensor, None]:
            dy = tf.convert_to_tensor(dy)  # it may be tf.IndexedSlices
            p = known(x, y)  # as a function of x once more, for the second derivative
            return p * (dy - tf.reduce_sum(p * dy, axis, keepdims=True)), None

        return tf.identity(y), vjp

    left, v = tf.cast(mask, tf.bool), tf.stop_gradient(x)
    zero = tf.zeros([], x.dtype)
    return known(x, tf.where(left, tf.nn.softmax(tf.where(left, v, zero - float("inf")), axis), zero))
