"""What all replicas of a strategy have, along the first axis: its vjp is a reduce-scatter of the cotangents."""

import tensorflow as tf
from tensorflow import Tensor


def all_gather(x: Tensor) -> Tensor:
    """Return what the replicas of a strategy have, one after the other along the first axis; all have one shape.

    Raises
    ------
    ValueError
        If `x` has no axis.
    """

    @tf.custom_gradient
    def forward(x: Tensor):
        def vjp(dy: Tensor) -> Tensor:
            return _transposed(tf.convert_to_tensor(dy))  # it may be tf.IndexedSlices

        return tf.distribute.get_replica_context().all_gather(tf.stop_gradient(x), axis=0), vjp

    x = tf.identity(x)
    if x.shape.rank == 0:
        raise ValueError("x has no axis: one is wanted, along which the ranks' blocks are joined")
    return forward(x)


@tf.custom_gradient
def _transposed(dy: Tensor):
    """Return this replica's block of the sum over the replicas: the reduce-scatter, whose vjp is the gather again."""
    context = tf.distribute.get_replica_context()
    total = context.all_reduce(tf.distribute.ReduceOp.SUM, tf.stop_gradient(dy))
    shape, replicas = tf.shape(total), context.num_replicas_in_sync
    blocks = tf.reshape(total, tf.concat([[replicas, shape[0] // replicas], shape[1:]], 0))
    return tf.gather(blocks, context.replica_id_in_sync_group), all_gather
