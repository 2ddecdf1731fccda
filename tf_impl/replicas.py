"""A function of one replica, as a function of all replicas in one process."""

import functools
from collections.abc import Callable, Sequence

import tensorflow as tf
from tensorflow import Tensor


def on_replicas(function: Callable[[Tensor], Tensor], replicas: int = 2) -> Callable[[Tensor], Tensor]:
    """Run a function on every replica of a ``tf.distribute.MirroredStrategy`` over logical CPUs.

    Parameters
    ----------
    function : callable
        ``function(x)`` of one replica: takes and returns a tensor. It calls the collectives of its replica context.
    replicas : int
        How many there are; each has a logical CPU.

    Returns
    -------
    callable
        Takes what all replicas give, of shape ``[replicas, ...]``, and returns what all of them get. Its gradient is
        that of the sum over all replicas, by the gradient function of every replica; it can be differentiated again.

    Raises
    ------
    ValueError
        If the first axis of what it is called with has another length.
    RuntimeError
        If called with more replicas than there are logical CPUs, and TensorFlow runs already: it makes them before
        its first tensor only.
    """

    def single(x: Tensor) -> tuple[Tensor]:
        return (function(x),)

    def run(x: Tensor) -> Tensor:
        x = tf.convert_to_tensor(x)
        if x.shape.rank == 0 or (x.shape.rank and x.shape[0] not in {None, replicas}):
            raise ValueError(f"x of shape {x.shape.as_list()}: the first axis must be that of the {replicas} ranks")
        return _on_replicas(single, replicas, [x])[0]

    return run


def _on_replicas(
    function: Callable[..., Sequence[Tensor]], replicas: int, inputs: Sequence[Tensor]
) -> Sequence[Tensor]:
    """Return the outputs of all replicas; their vjp is another function of one replica."""

    @tf.custom_gradient
    def forward(*inputs: Tensor):
        def vjp(*dy: Tensor) -> Sequence[Tensor]:
            dy = [tf.convert_to_tensor(v) for v in dy]  # they may be tf.IndexedSlices
            return _on_replicas(functools.partial(_pulled, function, len(inputs)), replicas, [*inputs, *dy])

        return _everywhere(function, replicas, [tf.stop_gradient(x) for x in inputs]), vjp

    return forward(*map(tf.identity, inputs))


def _pulled(function: Callable[..., Sequence[Tensor]], count: int, *given: Tensor) -> list[Tensor]:
    """Return the gradients of one replica: of its inputs, followed by the cotangents."""
    inputs, dy = list(given[:count]), list(given[count:])
    with tf.GradientTape() as tape:
        tape.watch(inputs)
        outputs = function(*inputs)
    return tape.gradient(outputs, inputs, output_gradients=dy, unconnected_gradients=tf.UnconnectedGradients.ZERO)


def _everywhere(function: Callable[..., Sequence[Tensor]], replicas: int, inputs: Sequence[Tensor]) -> list[Tensor]:
    """Return what each replica gives of its inputs."""
    strategy = _strategy(replicas)

    def one() -> Sequence[Tensor]:
        replica = tf.distribute.get_replica_context().replica_id_in_sync_group
        return function(*(tf.gather(x, replica) for x in inputs))

    outputs = [strategy.experimental_local_results(y) for y in strategy.run(one)]
    return [tf.stack(ys) for ys in outputs]


@functools.lru_cache
def _strategy(replicas: int) -> tf.distribute.Strategy:
    devices = tf.config.list_logical_devices("CPU")
    if len(devices) < replicas:
        raise RuntimeError(
            f"{replicas} replicas want as many logical CPUs, and TensorFlow has {len(devices)}: before the first "
            f"tensor, call tf.config.set_logical_device_configuration(tf.config.list_physical_devices('CPU')[0], "
            f"[tf.config.LogicalDeviceConfiguration()] * {replicas})"
        )
    names = [device.name for device in devices[:replicas]]
    # On one CPU to gather at one device is the quickest way, and XLA takes it.
    return tf.distribute.MirroredStrategy(names, cross_device_ops=tf.distribute.ReductionToOneDevice())
