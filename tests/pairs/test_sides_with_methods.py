"""A Keras layer and a module, called as they are: their own methods say what the arguments are called."""

import keras
import pytest

from porting import check
from porting.pairs.pair import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


@tf.custom_gradient
def soft_sign(x):
    return x / (1 + tf.abs(x)), lambda dy: tf.convert_to_tensor(dy) / (1 + tf.abs(x)) ** 2


class Layer(keras.layers.Layer):
    def call(self, x):
        return soft_sign(x)


class Module(torch.nn.Module):
    def forward(self, x):
        return x / (1 + x.abs())


@pytest.mark.parametrize("options", [{}, {"dtype": "float64", "autocast": False}], ids=["as it is", "float64"])
def test_a_right_layer_beside_a_right_module_is_accused_of_nothing(options):
    layer = Layer(**options)
    pair = Pair(torch=Module(), tf=layer, name="soft_sign")
    report = check(pair, dtypes=["float64"])
    assert layer.autocast is options.get("autocast", True), "it is as it was"
    assert {(r.check, r.runner) for r in report.results if r.status == "differ"} == set(), str(report)
    assert {r.check for r in report.results if r.status == "agree"} >= {"value", "vjp", "keyword_call", "traced"}
