"""TensorFlow's devices: two logical CPUs, and GPUs that take memory as they need it and compute float32 in float32."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator


@lru_cache(maxsize=1)
def gpus() -> tuple[Any, ...]:
    """Return the GPUs; each is told to grow, as TensorFlow otherwise takes all of the memory with its first tensor.

    PyTorch, and other workers, have the same GPU. Where the program has used it already, it keeps what it has.
    """
    import tensorflow as tf

    found = tuple(tf.config.list_physical_devices("GPU"))
    for gpu in found:
        with suppress(RuntimeError, ValueError):  # it is in use, or the program has divided it
            tf.config.experimental.set_memory_growth(gpu, True)
    return found


@contextmanager
def exact(device: str) -> Iterator[None]:
    """Compute float32 in float32 on a GPU, not in TensorFloat-32; put the setting back."""
    import tensorflow as tf

    experimental = tf.config.experimental
    if device != "gpu" or not hasattr(experimental, "tensor_float_32_execution_enabled"):  # since TensorFlow 2.4
        yield
        return
    before = experimental.tensor_float_32_execution_enabled()
    experimental.enable_tensor_float_32_execution(False)
    try:
        yield
    finally:
        experimental.enable_tensor_float_32_execution(before)


@lru_cache(maxsize=1)
def two_cpus() -> None:
    """Make two logical CPUs, for ops of two replicas, if TensorFlow does not run yet: later it makes none."""
    import tensorflow as tf

    cpus = (
        tf.config.list_physical_devices("CPU") if hasattr(tf.config, "get_logical_device_configuration") else []
    )  # since 2.4
    if cpus and not tf.config.get_logical_device_configuration(cpus[0]):
        with suppress(RuntimeError):  # it runs: an op that wants two replicas says so
            tf.config.set_logical_device_configuration(cpus[0], [tf.config.LogicalDeviceConfiguration()] * 2)
