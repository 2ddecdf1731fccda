"""One block of the sum over all replicas of a strategy: its vjp is an all-gather of the cotangents."""

import tensorflow as tf
from tensorflow import Tensor


def reduce_scatter(x: Tensor) -> Tensor:
    """Return this replica's block, along the first axis, of the sum over the replicas of a strategy.

    Raises
    ------
    ValueError
        If the first axis cannot be divided into one block for each replica.
    """

    @tf.custom_gradient
    def forward(x: Tensor):
        def vjp(dy: Tensor) -> Tensor:
            return _transposed(tf.convert_to_tensor(dy))  # it may be tf.IndexedSlices

        total = context.all_reduce(tf.distribute.ReduceOp.SUM, tf.stop_gradient(x))
        shape = tf.shape(total)
        blocks = tf.reshape(total, tf.concat([[ranks, shape[0] // ranks], shape[1:]], 0))
        return tf.gather(blocks, context.replica_id_in_sync_group), vjp

    x, context = tf.identity(x), tf.distribute.get_replica_context()
    ranks, shape = context.num_replicas_in_sync, x.shape
    if shape.rank == 0 or (shape.rank and (shape[0] or 0) % ranks):  # an unknown length is looked at by the reshape
        raise ValueError(f"x of shape {shape.as_list()}: the first axis must be a multiple of the {ranks} ranks")
    return forward(x)


@tf.custom_gradient
def _transposed(dy: Tensor):
    """Return the cotangents of all replicas: the all-gather, whose vjp is the reduce-scatter again."""
    return tf.distribute.get_replica_context().all_gather(tf.stop_gradient(dy), axis=0), reduce_scatter
