"""Two logical CPUs, so that an op of several replicas can be run on one machine."""

from contextlib import suppress
from functools import lru_cache

import tensorflow as tf


@lru_cache(maxsize=1)
def two_cpus() -> None:
    """Make them, if TensorFlow does not run yet: it makes devices before its first tensor only."""
    cpus = tf.config.list_physical_devices("CPU")
    if cpus and not tf.config.get_logical_device_configuration(cpus[0]):
        with suppress(RuntimeError):  # it runs: an op that wants two replicas says so
            tf.config.set_logical_device_configuration(cpus[0], [tf.config.LogicalDeviceConfiguration()] * 2)
