"""Some replicas of a strategy: ``some_replicas.py REPLICAS FOLDER`` saves what each gets and its gradients."""

import sys
from pathlib import Path

import numpy as np
import tensorflow as tf
from numbers_of_ranks import cotangents, inputs

from tf_impl import distributed

replicas, folder = int(sys.argv[1]), Path(sys.argv[2])
(cpu,) = tf.config.list_physical_devices("CPU")
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * replicas)
strategy = tf.distribute.MirroredStrategy([f"CPU:{k}" for k in range(replicas)])


def asked(name):
    """Return what one replica gets of its own numbers, and its first and second gradients."""
    own = tf.distribute.get_replica_context().replica_id_in_sync_group
    x, dy = tf.gather(inputs(replicas)[name], own), tf.gather(cotangents(name, replicas), own)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = getattr(distributed, name)(x)
            squares = y**2
        dx = inner.gradient(squares, x, dy)
    return y, dx, outer.gradient(dx, x)


for name in inputs(replicas):
    found = tf.function(lambda name=name: strategy.run(asked, (name,)), autograph=False)()
    for k, each in enumerate(zip(*map(strategy.experimental_local_results, found), strict=True)):
        np.savez(folder / f"{name}-{k}.npz", **dict(zip(("y", "dx", "second"), each, strict=True)))
