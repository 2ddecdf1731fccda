"""Variables that a tf.custom_gradient captures: TensorFlow hands them to the gradient function as a set has them."""

# mypy: allow-untyped-defs, allow-untyped-calls

import tensorflow as tf

from porting.pairs.array import array
from porting.pairs.pair import Pair
from porting.selftest.pairs.modules import linear
from porting.selftest.planted import planted_pair, right_pair


class Captured(tf.Module):  # type: ignore[misc]  # TensorFlow ships no types
    """A linear layer whose gradient function returns the variables' gradients in an order of its choice."""

    def __init__(self, order=list):
        super().__init__()
        self.weight = tf.Variable(tf.zeros((3, 4)))
        self.bias = tf.Variable(tf.zeros((3,)))
        self.order = order

    def __call__(self, x):
        @tf.custom_gradient
        def forward(x):
            weight = tf.convert_to_tensor(self.weight)

            def grad(dy, variables=()):
                by = {self.weight.ref(): tf.matmul(dy, x, transpose_a=True), self.bias.ref(): tf.reduce_sum(dy, axis=0)}
                return tf.matmul(dy, weight), [by[v.ref()] for v in self.order(variables)]

            return tf.matmul(x, weight, transpose_b=True) + self.bias, grad

        return forward(x)


def exchanged(variables):
    """Return two variables in the order in which they were not given."""
    return list(variables)[::-1]


BATCH = {"x": array(("n", 4))}


@right_pair("tf")
def variables_in_the_order_in_which_they_are_given():
    """Each gradient is looked up by its variable."""
    return Pair(torch=linear, tf=Captured(), inputs=BATCH)


@planted_pair("tf", "swapped_gradients")
def variables_in_another_order_than_given():
    """The gradients of a matrix and a vector come exchanged, which their shapes tell."""
    return Pair(torch=linear, tf=Captured(exchanged), inputs=BATCH)
