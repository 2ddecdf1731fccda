"""What was said falsely of strangers' code, or not found in it, the twelfth time; in its shape."""

import pytest

import porting
from porting import Pair, array

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from porting.errors import PairError  # noqa: E402 - where a framework is not installed

ROWS = {"x": array(("n", 3))}


def differing(report):
    return {(r.runner, r.check) for r in report.results if r.status == "differ"}


# A layer that makes its weights in float32, whatever its own type is.


class Gain(torch.nn.Module):
    def __init__(self, factor=1.0):
        super().__init__()
        self.gain = torch.nn.Parameter(torch.ones(3))
        self.factor = factor

    def forward(self, x):
        return self.factor * self.gain * torch.sigmoid(x)


class NarrowGain(tf.keras.layers.Layer):
    def build(self, shape):
        self.gain = self.add_weight(shape=(shape[-1],), initializer="ones", dtype=tf.float32, name="gain")

    def call(self, x):
        return self.gain * tf.sigmoid(x)


@pytest.mark.parametrize(("factor", "sides"), [(1.0, set()), (1.01, {"torch", "tf"})])
@pytest.mark.parametrize("dtypes", [(), ("float32",)])
def test_weights_of_one_type_are_compared_in_it(factor, sides, dtypes):
    report = porting.check(Pair(torch=Gain(factor), tf=NarrowGain()), only=["vjp", "linear", "adjoint"], dtypes=dtypes)
    assert {runner for runner, check in differing(report) if check == "vjp"} == sides, str(report)
    assert not {check for _, check in differing(report)} - {"vjp"}, str(report)
    said = {r.note for r in report.results if r.status == "no verdict"}
    assert all("the weights of NarrowGain are float32 whatever its dtype is" in note for note in said), said
    assert not said or not dtypes


# Modules that train and layers that infer.


class Normed(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.BatchNorm1d(3, eps=1e-3, affine=False)

    def forward(self, x):
        return x * torch.sigmoid(self.norm(x))


class NormedLayer(tf.keras.layers.Layer):
    def build(self, shape):
        self.norm = tf.keras.layers.BatchNormalization(center=False, scale=False)

    def call(self, x, training=None):
        return x * tf.sigmoid(self.norm(x, training=training))


@pytest.mark.parametrize(
    ("module", "statics", "told"),
    [
        (Normed(), {}, "training mode"),
        (Normed().eval(), {}, "evaluation mode"),
        (Normed(), {"training": False}, "evaluation mode"),
        (Normed().eval(), {"training": True}, "training mode"),
    ],
)
def test_both_are_in_one_mode(module, statics, told):
    report = porting.check(Pair(torch=module, tf=NormedLayer(), inputs=ROWS, statics=statics), only=["value", "vjp"])
    assert not differing(report), str(report)
    assert told in report.described[0]
    assert statics or f"tf: called with training={told == 'training mode'}" in report.described[0]


def test_what_was_given_stays_in_its_mode():
    module = Normed()
    porting.check(Pair(torch=module, tf=NormedLayer(), inputs=ROWS, statics={"training": False}), only=["value"])
    assert module.training


def test_a_mode_that_a_layer_takes_for_another_one_is_found():
    class Opposite(NormedLayer):
        def call(self, x, training=None):
            return super().call(x, training=not training)

    report = porting.check(Pair(torch=Normed(), tf=Opposite(), inputs=ROWS), only=["value"])
    assert differing(report) == {("torch", "value"), ("tf", "value")}, str(report)


# The other side's output, and its gradient, have another shape.


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x * w

    @staticmethod
    def backward(ctx, dy):
        x, w = ctx.saved_tensors
        return dy * w, (dy * x).sum(0)


@tf.custom_gradient
def broadcast(x, w):
    w = tf.reshape(w, (1, -1, 1, 1))
    return x * w, lambda dy: (dy * w, tf.reduce_sum(dy * x, (0, 2, 3)))


def test_nobody_raises_for_a_cotangent_of_the_others_shape():
    pair = Pair(torch=Scale, tf=broadcast, inputs={**ROWS, "w": array((3,))})
    report = porting.check(pair, only=["value", "vjp", "interleaved", "retained"])
    assert differing(report) == {("torch", "value"), ("tf", "value")}, str(report)
    assert not [d for d in report.diagnoses if d.cause == "raises_in_backward"], str(report)


# What is guessed.


class Channels(torch.nn.Module):
    def __init__(self, num_parameters):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.full((num_parameters,), 0.25))

    def forward(self, x):
        weight = self.weight.reshape(1, -1, *[1] * (x.dim() - 2))
        return torch.where(x > 0, x, weight * x)


class ImageChannels(tf.keras.layers.Layer):
    def __init__(self, num_parameters):
        super().__init__()
        self.weight = self.add_weight(shape=(num_parameters,), initializer=tf.constant_initializer(0.25), name="weight")

    def call(self, x):
        return tf.where(x > 0, x, tf.reshape(self.weight, (1, -1, 1, 1)) * x)


def test_a_guess_gives_outputs_of_one_shape_on_both_sides():
    """A vector of channels broadcasts with a matrix too, on one side."""
    report = porting.check(Pair(torch=Channels, tf=ImageChannels), only=["value", "vjp"])
    assert not differing(report), str(report)
    assert "x[n, 4, 5, 5]" in report.described[0]


class Unaware(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(3)

    @tf.custom_gradient
    def call(self, x):
        return self.dense(x), lambda dy: tf.matmul(dy, tf.transpose(self.dense.kernel))


def test_a_layer_that_no_input_suits_is_told_why():
    pair = Pair(torch=torch.nn.Linear(4, 3), tf=Unaware(), inputs={"x": array(("n", 4))})
    with pytest.raises(PairError, match="takes no argument `variables`; see `porting explain missing_variables`"):
        porting.check(pair, only=["vjp"])


# Half of the elements are not a few.


def test_half_of_the_elements_are_not_a_few():
    class Half(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return torch.cat([x[..., :2], 3 * x[..., 2:]], -1)

        @staticmethod
        def backward(ctx, dy):
            return torch.cat([dy[..., :2], dy[..., 2:].flip(0)], -1)

    def plain(x):
        return tf.concat([x[..., :2], 3 * x[..., 2:]], -1)

    pair = Pair(torch=Half, tf=plain, inputs={"x": array(("n", 4))}, reference="tf")
    report = porting.check(pair, only=["value", "vjp", "adjoint", "linear"])
    causes = [d.cause for d in report.diagnoses]
    assert causes, str(report)
    assert "few_elements" not in causes, str(report)


def test_numbers_of_one_row_are():
    class Row(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return 3 * x

        @staticmethod
        def backward(ctx, dy):
            return 3 * dy * torch.tensor([1.0, 1.0, 1.0, 0.5], dtype=dy.dtype)

    pair = Pair(torch=Row, tf=lambda x: 3 * x, inputs={"x": array(("n", 4))}, reference="tf")
    report = porting.check(pair, only=["value", "vjp", "adjoint", "linear"])
    assert report.diagnoses[0].cause == "few_elements", str(report)


# A guess that all take is not exchanged for one that hides what they do.


def test_outputs_of_other_shapes_are_not_guessed_away():
    def rows(x, w):
        return (x @ w).sum(-1)

    def kept(x, w):
        return tf.reduce_sum(x @ w, -1, keepdims=True)

    report = porting.check(Pair(torch=rows, tf=kept), only=["value", "vjp"])
    assert {check for _, check in differing(report)} >= {"value"}, str(report)
    assert "--static" not in report.described[0]
