"""A length among the statics is one of the data's, and of what another constructor calls otherwise.

Seen in public repositories: layers that are made with in_features on one side, and with units alone on the other one.
"""

import re

import pytest
from everyday import causes, described

import porting
from porting import Pair
from porting.errors import PairError
from porting.pairs.lengths import made_with

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
keras = pytest.importorskip("keras")


@pytest.mark.parametrize(
    ("wanted", "statics", "first"),
    [
        ("filters", {"in_channels": 3, "out_channels": 7}, 7),
        ("units", {"in_features": 5, "out_features": 6}, 6),
        ("in_features", {"input_dim": 5, "output_dim": 6}, 5),
        ("units", {"in_features": 5}, 3),
        ("units", {"hidden_size": 2, "out_features": 6}, 3),
    ],
)
def test_what_another_constructor_calls_otherwise_is_tried_first(wanted, statics, first):
    assert next(made_with([wanted], statics)) == {wanted: first}


def test_no_way_is_tried_twice():
    every = list(made_with(["units"], {"out_features": 3}))
    assert all(one not in every[:k] for k, one in enumerate(every))


class Wide(torch.nn.Linear):
    pass


class WideLayer(keras.layers.Layer):
    def __init__(self, units, times=1.0):
        super().__init__()
        self.units, self.times = units, times

    def build(self, shape):
        self.kernel = self.add_weight(shape=(shape[-1], self.units), name="kernel")
        self.bias = self.add_weight(shape=(self.units,), name="bias")

    def call(self, x):
        @tf.custom_gradient
        def layer(x, kernel, bias):
            def grad(dy):
                dkernel = self.times * tf.matmul(x, dy, transpose_a=True)
                return tf.matmul(dy, kernel, transpose_b=True), dkernel, tf.reduce_sum(dy, 0)

            return tf.matmul(x, kernel) + bias, grad

        return layer(x, *map(tf.convert_to_tensor, (self.kernel, self.bias)))


@pytest.mark.parametrize("inputs", [{}, {"input": porting.array(("n", 5))}], ids=["guessed", "said"])
@pytest.mark.parametrize("times", [1.0, 3.0])
def test_lengths_are_matched_with_inputs_that_are_said_too(inputs, times):
    statics = {"in_features": 5, "out_features": 7, "times": times}
    report, said = described(Pair(torch=Wide, tf=WideLayer, statics=statics, inputs=inputs))
    assert "units=7" in said, said
    assert (report.exit_code == 0) == (times == 1.0), str(report)
    assert times == 1.0 or "constant_factor" in causes(report, "tf"), str(report)


# A length that no parameter shows: a factor of the gradient follows from it.


class Lsq(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, step, scale):
        ctx.save_for_backward(x, step)
        ctx.scale = scale
        return (x / step).round() * step

    @staticmethod
    def backward(ctx, dy):
        x, step = ctx.saved_tensors
        return dy, (((x / step).round() - x / step) * dy).sum() * ctx.scale, None


class Quantize(torch.nn.Module):
    def __init__(self, n_features):
        super().__init__()
        self.scale = n_features**-0.5
        self.step = torch.nn.Parameter(torch.tensor(0.5))

    def forward(self, x):
        return Lsq.apply(x, self.step, self.scale)


class QuantizeLayer(keras.layers.Layer):
    least, times = 8, 1.0

    def build(self, shape):
        assert shape[1] > self.least, "is your data format correct?"
        self.step = self.add_weight(shape=(), name="step")

    def call(self, x):
        scale = self.times * float(x.shape[1]) ** -0.5

        @tf.custom_gradient
        def lsq(x, step):
            return tf.round(x / step) * step, lambda dy: (
                dy,
                scale * tf.reduce_sum((tf.round(x / step) - x / step) * dy),
            )

        return lsq(x, tf.convert_to_tensor(self.step))


class OfAnyWidth(QuantizeLayer):
    least = 1


class Tripled(QuantizeLayer):
    times = 3.0


@pytest.mark.parametrize("layer", [QuantizeLayer, OfAnyWidth])
def test_the_last_axis_is_as_long_as_a_static_says(layer):
    report, said = described(Pair(torch=Quantize, tf=layer, statics={"n_features": 10}))
    assert report.exit_code == 0, str(report)
    assert "x[n, 10]" in said, said


def test_a_factor_is_found_as_what_it_is():
    report, _ = described(Pair(torch=Quantize, tf=Tripled, statics={"n_features": 10}))
    assert "gradient of step is 3 times the true one" in str(report)


# Where no guess suits all sides, each one's reason is told.


class Odd(WideLayer):
    def call(self, x):
        if x.shape[-1] != 6:
            raise ValueError("six are wanted")
        return super().call(x)


def test_the_reason_of_each_side_is_told_with_its_place():
    with pytest.raises(PairError) as refused:
        porting.check(Pair(torch=Wide, tf=Odd, statics={"in_features": 5, "out_features": 3, "units": 3}))
    said = str(refused.value)
    assert 'torch by itself takes --input "input=float64[n,5]"' in said, said
    assert re.search(r"six are wanted, at \S*test_lengths_among_statics.py:\d+ for them, which PyTorch takes", said), (
        said
    )


class Captures(WideLayer):
    def call(self, x):
        kernel, bias = self.kernel, self.bias

        @tf.custom_gradient
        def layer(x):
            return tf.matmul(x, kernel) + bias, lambda dy: tf.matmul(dy, kernel, transpose_b=True)

        return layer(x)


def test_a_side_that_takes_nothing_for_another_reason_is_checked_with_what_the_other_takes():
    report, said = described(Pair(torch=Wide, tf=Captures, statics={"in_features": 5, "out_features": 3, "units": 3}))
    assert "input[n, 5]" in said, said
    assert "missing_variables" in causes(report, "tf"), str(report)


class Masked(torch.nn.Module):
    def __init__(self, mask):
        super().__init__()
        self.mask = torch.nn.Parameter(mask.float(), requires_grad=False)

    def forward(self, x):
        return x * self.mask


def test_a_list_in_the_place_of_a_tensor_leads_to_a_factory():
    with pytest.raises(PairError, match=r"mask is a list here.*FILE.py:make, a function .* returns Masked\(mask=…\)"):
        porting.check(Pair(torch=Masked, statics={"mask": [[1, 0, 1]]}))
    with pytest.raises(PairError, match=r"; give other values with --static$"):
        porting.check(Pair(torch=Masked, statics={"mask": 1}))
