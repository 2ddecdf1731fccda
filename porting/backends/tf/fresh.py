"""Asks a fresh interpreter for value and gradient: of a model that it loads, or of an op on two logical devices.

TensorFlow numbers the custom gradients of a process, and a SavedModel without them names them by their numbers. It is
loaded in an interpreter that runs no op's own code: there such a number could lead to the gradient of another op.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from porting.backends.tf.by_name import named
from porting.backends.tf.devices import two_cpus
from porting.runners.base import as_outputs
from porting.runners.fresh import Failed, FreshProcessError, allowed, raise_failed, told
from porting.workers.pool import Ended, Pool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from porting.backends.tf.in_mode import Answer, Asked
    from porting.runners.base import Array

_ENVIRONMENT = {"TF_CPP_MIN_LOG_LEVEL": "2", "TF_FORCE_GPU_ALLOW_GROWTH": "true"}  # another process has the GPU


@dataclass(frozen=True)
class Question:
    """What the fresh process is asked.

    Attributes
    ----------
    how, source : str
        ``saved model`` or ``keras``, and the path of the model; or ``mirrored``, and the op `by_name`.
    inputs, dy : tuple of numpy.ndarray
        All inputs, and the cotangents.
    wrt, live : tuple of int
        See `porting.backends.tf.in_mode.Asked`.
    """

    how: str
    source: str
    inputs: tuple[Array, ...]
    dy: tuple[Array, ...]
    wrt: tuple[int, ...]
    live: tuple[int, ...]


def answered(asked: Asked, how: str, source: str, process: str = "with code") -> Answer:
    """Return value and gradient as the fresh process computes them, which is kept for further ops.

    Parameters
    ----------
    asked : Asked
        The op on its numbers.
    how, source : str
        See `Question`.
    process : str
        Which fresh process is asked: there is one for each name.

    Raises
    ------
    FreshProcessError
        If an exception was raised there, or it died.
    """
    import tensorflow as tf

    inputs, dy = (tuple(t.numpy() for t in part) for part in (asked.inputs, asked.dy))
    question = Question(how, source, inputs, dy, asked.wrt, asked.live)
    (said,) = (item for _, item in _pool(os.getpid(), process, allowed()).run([question]))
    if isinstance(said, Ended):
        raise FreshProcessError(f"the fresh process {told(said)}")
    if isinstance(said, Failed):
        raise_failed(asked, said)
    outputs, dx = said
    return tuple(map(tf.constant, outputs)), tuple(None if g is None else tf.constant(g) for g in dx)


@lru_cache
def _pool(_parent: int, _name: str, seconds: float) -> Pool:  # one for each name; a fork of the parent has none yet
    return Pool(1, "porting.backends.tf.fresh:load", timeout=seconds, environment=_ENVIRONMENT)


def load(question: Question, announce: Callable[[str], None]) -> Iterator[Any]:
    """Yield outputs and gradients, or what was raised instead; the handler of the fresh process."""
    import tensorflow as tf

    from porting.backends.tf.tensors import is_dense

    stage = "import"

    def enter(name: str) -> None:
        nonlocal stage
        stage = name
        announce(name)

    def both(function: Callable[..., Any]) -> tuple[Any, Any]:
        inputs, dy = [tf.constant(x) for x in question.inputs], [tf.constant(v) for v in question.dy]
        x = [inputs[place] for place in question.wrt]
        enter("forward")
        with tf.GradientTape() as tape:
            tape.watch(x)
            outputs = as_outputs(function(*inputs), is_dense, "a tensor")
        enter("backward")
        dx = tape.gradient([outputs[k] for k in question.live], x, output_gradients=dy)
        return outputs, [None if g is None else tf.convert_to_tensor(g) for g in dx]

    two_cpus()
    try:
        enter("load")
        outputs, dx = _HOW[question.how](question.source, both)
        yield [y.numpy() for y in outputs], [None if g is None else g.numpy() for g in dx]
    except Exception as error:  # noqa: BLE001 - whatever the op or TensorFlow raises is part of the answer
        yield Failed(stage, type(error).__name__, str(error))


def _saved_model(path: str, both: Callable[..., Any]) -> Any:
    import tensorflow as tf

    return both(tf.saved_model.load(path).op)


def _keras(path: str, both: Callable[..., Any]) -> Any:
    import keras

    from porting.backends.tf.layer import NamedLayer

    model = keras.saving.load_model(path, custom_objects={"NamedLayer": NamedLayer})
    return both(lambda *inputs: model(list(inputs)))


def _mirrored(source: str, both: Callable[..., Any]) -> Any:
    import tensorflow as tf

    function, strategy = named(source), tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
    outputs, dx = tf.function(lambda: strategy.run(lambda: both(function)), autograph=False)()
    second = [None if t is None else strategy.experimental_local_results(t)[-1] for t in (*outputs, *dx)]
    return second[: len(outputs)], second[len(outputs) :]


_HOW = {"saved model": _saved_model, "keras": _keras, "mirrored": _mirrored}
