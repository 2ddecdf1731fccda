"""A parameter that a first call sets from its data is no overwritten input: the sides are compared as they are then.

Seen in public repositories: quantisers that set their step from the first data in training.
"""

import pytest
from judged import accused_by

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
keras = pytest.importorskip("keras")

X = {"x": porting.array(("n", 5))}
ASKED = {"only": ["value", "vjp", "inputs_unchanged"], "dtypes": ["float64"]}


class Rounded(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, step):
        ctx.save_for_backward(x, step)
        return (x / step).round() * step

    @staticmethod
    def backward(ctx, dy):
        x, step = ctx.saved_tensors
        return dy, (((x / step).round() - x / step) * dy).sum().reshape(1)


class Step(torch.nn.Module):
    def __init__(self, always=False):
        super().__init__()
        self.step = torch.nn.Parameter(torch.ones(1))
        self.register_buffer("state", torch.zeros(1))
        self.always = always

    def forward(self, x):
        if self.training and (self.always or self.state == 0):
            self.step.data.copy_(2 * x.detach().abs().mean())
            self.state.fill_(1)
        return Rounded.apply(x, self.step)


class StepLayer(keras.layers.Layer):
    def __init__(self, times=1.0, sets=True, **kwargs):
        super().__init__(**kwargs)
        self.times, self.sets = times, sets

    def build(self, shape):
        self.step = self.add_weight(shape=(1,), name="step", initializer="ones")
        self.state = self.add_weight(shape=(1,), name="state", initializer="zeros", trainable=False)

    def call(self, x, training=None):
        if training and self.sets:
            first = 2 * tf.reshape(tf.reduce_mean(tf.abs(x)), [1])
            self.step.assign(tf.where(tf.equal(self.state, 0), first, self.step))
            self.state.assign(tf.ones_like(self.state))

        @tf.custom_gradient
        def rounded(x, step):
            def grad(dy):
                dstep = tf.reduce_sum((tf.round(x / step) - x / step) * dy)
                return dy, self.times * tf.reshape(dstep, [1])

            return tf.round(x / step) * step, grad

        return rounded(x, tf.convert_to_tensor(self.step))


@pytest.mark.parametrize("times", [1.0, 3.0])
def test_a_right_pair_agrees_and_a_factor_beside_is_found(times):
    found, report = accused_by(Pair(torch=Step, tf=StepLayer, statics={"times": times}, inputs=X), **ASKED)
    assert bool(found) == (times != 1.0), str(report)
    assert not found or {d.cause for d in report.diagnoses} >= {"constant_factor"}, str(report)
    assert "torch: the first call sets step: compared as it is after that" in report.described[0]
    assert "tf: the first call sets step:" in report.described[0]
    assert "sets none" not in report.described[0]


def test_that_one_side_alone_sets_it_is_told():
    found, report = accused_by(Pair(torch=Step, tf=StepLayer, statics={"sets": False}, inputs=X), **ASKED)
    assert not found, str(report)
    assert "torch: the first call sets step:" in report.described[0]
    assert "that of tf sets none" in report.described[0]


def test_the_module_that_is_given_keeps_its_own():
    module = Step()
    porting.check(Pair(torch=module, inputs=X), **ASKED)
    assert module.step.item() == 1
    assert module.state.item() == 0


def test_what_every_call_overwrites_is_found():
    _, report = accused_by(Pair(torch=Step, statics={"always": True}, inputs=X), **ASKED)
    assert "overwrites_input" in {d.cause for d in report.diagnoses}, str(report)
    assert "the first call sets" not in report.described[0]


def test_without_training_nothing_is_set():
    found, report = accused_by(Pair(torch=Step, tf=StepLayer, statics={"training": False}, inputs=X), **ASKED)
    assert not found, str(report)
    assert "the first call sets" not in report.described[0]
