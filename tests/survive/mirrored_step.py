"""A training step of a small model with three ops of the catalogue; run as a program, on two replicas."""

import sys

import numpy as np
import tensorflow as tf

from tf_impl.activation.swish import swish
from tf_impl.sparse.sparsemax import sparsemax
from tf_impl.straight_through.ste_round import ste_round

BATCH = 6


def weights():
    rng = np.random.default_rng(0)
    return [tf.Variable(rng.standard_normal(shape)) for shape in ((4, 5), (5, 3))]


def gradients(first, second, own):
    """Return the gradients of the mean loss of a part of the batch."""
    rng = np.random.default_rng(1)
    x, wanted = (tf.gather(rng.standard_normal((BATCH, n)), own) for n in (4, 3))
    with tf.GradientTape() as tape:
        hidden = ste_round(4 * swish(x @ first)) / 4
        loss = tf.reduce_mean((sparsemax(hidden @ second) - wanted) ** 2)
    return tape.gradient(loss, [first, second])


def main(file):
    (cpu,) = tf.config.list_physical_devices("CPU")
    tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
    strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
    with strategy.scope():
        held = weights()

    def step():
        replica = tf.distribute.get_replica_context()
        own = replica.replica_id_in_sync_group * (BATCH // 2) + tf.range(BATCH // 2)
        return replica.all_reduce(tf.distribute.ReduceOp.MEAN, gradients(*held, own))

    found = tf.function(lambda: strategy.run(step))()
    each = [strategy.experimental_local_results(g) for g in found]
    np.savez(file, *(g.numpy() for replicas in zip(*each, strict=True) for g in replicas))


if __name__ == "__main__":
    main(sys.argv[1])
