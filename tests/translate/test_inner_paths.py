"""What people import from within TensorFlow has its public name."""

import pytest

from porting.translate.same_paths import same_path

PATHS = {
    "tensorflow.python.ops.linalg.linalg_impl.adjoint": "tf.linalg.adjoint",
    "tensorflow.python.ops.linalg_ops.svd": "tf.linalg.svd",
    "tensorflow.python.ops.nn_impl.l2_normalize": "tf.nn.l2_normalize",
    "tensorflow.python.ops.nn_ops.softmax": "tf.nn.softmax",
    "tensorflow.python.ops.check_ops.assert_positive": "tf.debugging.assert_positive",
    "tensorflow.python.ops.array_ops.expand_dims": "tf.expand_dims",
    "tensorflow.python.ops.math_ops.matmul": "tf.matmul",
}


@pytest.mark.parametrize("path", PATHS)
def test_it_is_looked_up_by_that(path):
    assert same_path(path) == PATHS[path]


@pytest.mark.parametrize("path", PATHS.values())
def test_it_is_one_of_tensorflow(path):
    tf = pytest.importorskip("tensorflow")
    found = tf
    for part in path.split(".")[1:]:
        found = getattr(found, part)
    assert callable(found)
