"""Numbers that are drawn when a module is made and are no parameters: tensors in attributes, variables of a tf.Module.

Seen in public repositories: feedback alignment with a plain tensor, normalisations whose parameters are modules.
"""

import numpy as np
import pytest
from judged import accused_by

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
keras = pytest.importorskip("keras")

X = {"x": porting.array(("n", 5))}
ASKED = {"only": ["value", "vjp"]}


class Feedback(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, back):
        ctx.save_for_backward(x, weight, back)
        return x @ weight.T

    @staticmethod
    def backward(ctx, dy):
        x, _, back = ctx.saved_tensors
        return dy @ back.to(dy.dtype), dy.T @ x, None


class Aligned(torch.nn.Module):
    def __init__(self, width=3):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(width, 5))
        self.back = torch.randn(width, 5)

    def forward(self, x):
        return Feedback.apply(x, self.weight, self.back)


class AlignedKeras(keras.layers.Layer):
    """Keeps what it draws as a weight, or as a plain tensor."""

    def __init__(self, width=3, times=1.0, plain=False, more=0):
        super().__init__()
        self.kernel = self.add_weight(shape=(5, width), name="kernel")
        draw = keras.initializers.RandomNormal()
        frozen = {"shape": (5, width), "trainable": False, "initializer": draw}
        self.back = draw((5, width)) if plain else self.add_weight(name="feedback", **frozen)
        self.more = [self.add_weight(name=f"more{k}", **frozen) for k in range(more)]
        self.times = times

    def call(self, x):
        back = tf.cast(self.back, x.dtype)

        @tf.custom_gradient
        def layer(x, kernel):
            def backward(dy):
                return self.times * tf.matmul(dy, back, transpose_b=True), tf.matmul(x, dy, transpose_a=True)

            return tf.matmul(x, kernel), backward

        return layer(x, tf.convert_to_tensor(self.kernel))


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("times", [1.0, 3.0])
@pytest.mark.parametrize("width", [3, 5])
def test_a_port_agrees_and_a_factor_beside_is_found(plain, times, width):
    statics = {"times": times, "plain": plain, "width": width}
    found, report = accused_by(Pair(torch=Aligned, tf=AlignedKeras, statics=statics, inputs=X), **ASKED)
    assert bool(found) == (times != 1.0), str(report)
    assert "is frozen, and has the numbers of transposed torch:back" in report.described[0]
    assert "torch tensors in attributes: back (state, not compared)" in report.described[0]


def test_what_is_drawn_and_cannot_be_matched_is_no_verdict():
    pair = Pair(torch=Aligned, tf=AlignedKeras, statics={"more": 1}, inputs=X)
    report = porting.check(pair, **ASKED)
    assert not report.diagnoses, str(report)
    assert {r.status for r in report.results} == {"no verdict"}, str(report)
    assert "PyTorch draws back for itself and TensorFlow draws" in report.results[0].note


@pytest.mark.parametrize("times", [1.0, 3.0])
def test_which_is_which_can_be_said(times):
    statics = {"more": 1, "times": times}
    pair = Pair(torch=Aligned, tf=AlignedKeras, statics=statics, inputs=X, weights={"back": "feedback"})
    found, report = accused_by(pair, **ASKED)
    assert "agree" in {r.status for r in report.results}, str(report)
    assert bool(found) == (times != 1.0), str(report)


def test_what_one_side_alone_draws_is_no_verdict():
    report = porting.check(Pair(torch=Aligned, tf=keras.layers.Dense(3, use_bias=False), inputs=X), **ASKED)
    assert {r.status for r in report.results} == {"no verdict"}, str(report)


class Noted(torch.nn.Linear):
    def __init__(self):
        super().__init__(5, 3)
        self.noted = torch.randn(2, 2)


def test_what_no_answer_depends_on_hides_nothing():
    report = porting.check(Pair(torch=Noted, tf=keras.layers.Dense(3), inputs=X), **ASKED)
    assert report.exit_code == 0, str(report)
    assert {r.status for r in report.results} == {"agree"}, str(report)


class Table(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = torch.nn.Parameter(torch.ones(5))
        self.table = torch.linspace(0.1, 1.0, 5)

    def forward(self, x):
        return x * self.gain * self.table.to(x.dtype)


class TableLayer(keras.layers.Layer):
    def __init__(self, last=1.0):
        super().__init__()
        self.gain = self.add_weight(shape=(5,), name="gain")
        self.table = tf.constant(np.append(np.linspace(0.1, 1.0, 5)[:-1], last), "float32")

    def call(self, x):
        return x * self.gain * tf.cast(self.table, x.dtype)


@pytest.mark.parametrize("last", [1.0, 1.5])
def test_a_table_that_nobody_draws_is_compared(last):
    found, report = accused_by(Pair(torch=Table, tf=TableLayer, statics={"last": last}, inputs=X), **ASKED)
    assert bool(found) == (last != 1.0), str(report)
    assert "tensors in attributes" not in report.described[0]


class Square(tf.Module):
    """A parameter that is kept as its square root."""

    def __init__(self, initial):
        super().__init__()
        self.variable = tf.Variable(tf.sqrt(initial))

    def __call__(self):
        return tf.square(self.variable)


class HeldModule(keras.layers.Layer):
    def __init__(self, times=1.0):
        super().__init__()
        self.beta, self.times = None, times

    def build(self, shape):
        self.beta = Square(tf.ones([shape[-1]], self.variable_dtype))

    def call(self, x):
        beta = self.beta()

        @tf.custom_gradient
        def scaled(x, beta):
            return x * beta, lambda dy: (dy * beta, self.times * tf.reduce_sum(dy * x, 0))

        return scaled(x, beta)


class Rooted(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.beta = torch.nn.Parameter(torch.ones(5))

    def forward(self, x):
        return x * self.beta**2


@pytest.mark.parametrize("times", [1.0, 3.0])
def test_variables_in_a_module_that_a_layer_holds_are_its_parameters(times):
    pair = Pair(torch=Rooted, tf=HeldModule, statics={"times": times}, inputs=X, reference="torch")
    found, report = accused_by(pair, **ASKED)
    assert bool(found) == (times != 1.0), str(report)
    assert "tf:beta.variable = torch:beta" in report.described[0]
    if found:
        assert "constant_factor" in {d.cause for d in report.diagnoses}, str(report)
