"""TensorFlow with random numbers that are given: `tf.random.uniform` and `normal`, and what is made of them."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

import tensorflow as tf
from tensorflow.python.ops import gen_random_ops, gen_stateless_random_ops_v2

from porting.runners.stream import Stream


@contextmanager
def drawing(stream: Stream) -> Iterator[None]:
    """Draw from a stream meanwhile; in a graph, what is drawn there is a constant, of a shape that is known."""

    def given(numbers: Callable[..., Any], instead: Callable[..., Any]) -> Callable[..., Any]:
        def draw(*args: Any, **kwargs: Any) -> Any:
            shape = tf.get_static_value(kwargs["shape"] if "shape" in kwargs else args[0])
            dtype = tf.as_dtype(kwargs["dtype"] if "dtype" in kwargs else args[-1])
            return instead(*args, **kwargs) if shape is None else tf.cast(tf.constant(numbers(shape)), dtype)

        return draw

    with ExitStack() as replaced:
        for module, *names in (
            (gen_random_ops, "random_uniform", "random_standard_normal"),
            (gen_stateless_random_ops_v2, "stateless_random_uniform_v2", "stateless_random_normal_v2"),
        ):
            for name, numbers in zip(names, (stream.uniform, stream.normal), strict=True):
                replaced.enter_context(patch.object(module, name, given(numbers, getattr(module, name))))
        yield
