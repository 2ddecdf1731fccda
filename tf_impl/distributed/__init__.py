"""Collectives: what each replica gets depends on all replicas, and so does its gradient.

``all_reduced`` and the others below are of all replicas at once, in one process: so they are checked.
"""

import tensorflow as tf
from tensorflow import Tensor

from tf_impl import on_replicas
from tf_impl.distributed.all_gather import all_gather as all_gather
from tf_impl.distributed.all_reduce import all_reduce as all_reduce
from tf_impl.distributed.reduce_scatter import reduce_scatter as reduce_scatter


def all_reduced(x: Tensor) -> Tensor:
    """x[k] is what replica k gives, y[k] what it gets."""
    return on_replicas(all_reduce)(x)


def all_gathered(x: Tensor) -> Tensor:
    """x[k] is what replica k gives, y[k, j] the block of replica j in what it gets."""
    return tf.reshape(on_replicas(all_gather)(x), tf.concat([tf.shape(x)[:1], tf.shape(x)], 0))


def reduce_scattered(x: Tensor) -> Tensor:
    """x[j, k] is the block that replica j gives to replica k, y[k] what replica k gets."""
    return on_replicas(reduce_scatter)(tf.reshape(x, [tf.shape(x)[0], -1]))
