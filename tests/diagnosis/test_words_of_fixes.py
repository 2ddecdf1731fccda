"""What fixes in TensorFlow advise helps."""

import pytest

from porting.diagnosis.cause import causes

tf = pytest.importorskip("tensorflow")


def test_a_variable_that_is_made_a_tensor_outside_is_no_variable():
    assert "tf.convert_to_tensor(self.w)" in causes()["missing_variables"].fixes["tf"]
    w = tf.Variable(3.0)

    @tf.custom_gradient
    def scaled(x, w):
        return x * w, lambda dy: (dy * w, dy * x)

    with tf.GradientTape() as tape:
        y = scaled(tf.constant(2.0), tf.convert_to_tensor(w))
    assert float(tape.gradient(y, w)) == 2


def test_an_array_of_tensors_takes_a_shape_with_none():
    assert "element_shape of tf.TensorArray" in causes()["retrace_fails"].fixes["tf"]

    def kept(x, shape):
        return tf.TensorArray(x.dtype, 1, element_shape=shape).write(0, x).stack()[0]

    @tf.function(input_signature=[tf.TensorSpec([None, 2])])
    def by_static_shape(x):
        return kept(x, x.shape)

    @tf.function(input_signature=[tf.TensorSpec([None, 2])])
    def by_tensor(x):
        return kept(x, tf.shape(x))

    assert by_static_shape(tf.ones([3, 2])).shape == (3, 2)
    with pytest.raises((TypeError, ValueError)):
        by_tensor(tf.ones([3, 2]))
