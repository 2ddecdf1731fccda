"""Axes in another order on one side: images with channels last, weights turned round; said, guessed, and judged."""

import numpy as np
import pytest

import porting
from porting.errors import PairError
from porting.pairs.options import pair_from
from porting.pairs.turned import parse_axes, turned
from porting.pairs.written import written_pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
ASKED = {"dtypes": ["float64"], "only": ["value", "vjp", "layouts", "shapes", "large", "traced"]}


class Conv(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, b):
        ctx.save_for_backward(x, w)
        return torch.nn.functional.conv2d(x, w, b)

    @staticmethod
    def backward(ctx, dy):
        x, w = ctx.saved_tensors
        dx = torch.nn.grad.conv2d_input(x.shape, w, dy)
        return dx, torch.nn.grad.conv2d_weight(x, w.shape, dy), dy.sum((0, 2, 3))


def _conv_tf(x, kernel, bias, factor):
    @tf.custom_gradient
    def inner(x, kernel, bias):
        def grad(dy):
            dx = tf.nn.conv2d_transpose(dy, kernel, tf.shape(x), 1, "VALID")
            images, dys = tf.transpose(x, [3, 1, 2, 0]), tf.transpose(dy, [1, 2, 0, 3])
            dw = tf.transpose(tf.nn.conv2d(images, dys, 1, "VALID"), [1, 2, 0, 3])
            return dx, factor * dw, tf.reduce_sum(dy, [0, 1, 2])

        return tf.nn.conv2d(x, kernel, 1, "VALID") + bias, grad

    return inner(x, kernel, bias)


def conv_tf(x, kernel, bias):
    return _conv_tf(x, kernel, bias, 1.0)


def conv_too_much_tf(x, kernel, bias):
    return _conv_tf(x, kernel, bias, 2.0)


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias):
        ctx.save_for_backward(x, weight)
        return x @ weight.t() + bias

    @staticmethod
    def backward(ctx, dy):
        x, weight = ctx.saved_tensors
        return dy @ weight, dy.t() @ x, dy.sum(0)


def _linear_tf(x, kernel, bias, factor):
    @tf.custom_gradient
    def inner(x, kernel, bias):
        def grad(dy):
            dx = tf.matmul(dy, kernel, transpose_b=True)
            return dx, factor * tf.matmul(x, dy, transpose_a=True), tf.reduce_sum(dy, 0)

        return x @ kernel + bias, grad

    return inner(x, kernel, bias)


def linear_tf(x, kernel, bias):
    return _linear_tf(x, kernel, bias, 1.0)


def linear_too_much_tf(x, kernel, bias):
    return _linear_tf(x, kernel, bias, 3.0)


PAIRS = {
    "images": (Conv, conv_tf, conv_too_much_tf, "--axes tf:x=0,2,3,1 --axes tf:w=2,3,1,0 --axes tf:output=0,2,3,1"),
    "a matrix": (Linear, linear_tf, linear_too_much_tf, "--axes tf:weight=1,0"),
}


@pytest.mark.parametrize(("side", "other", "wrong", "said"), PAIRS.values(), ids=PAIRS)
def test_they_are_guessed_and_faults_beside_them_found(side, other, wrong, said):
    report = porting.check(porting.Pair(torch=side, tf=other), **ASKED)
    assert report.counts["differ"] == 0, str(report)
    assert {r.status for r in report.results if r.check in {"value", "vjp"}} == {"agree"}, str(report)
    assert said in report.described[0]
    report = porting.check(porting.Pair(torch=side, tf=wrong, reference="torch"), **ASKED)
    assert [d.cause for d in report.diagnoses][:1] == ["constant_factor"], str(report)


class Scaled(torch.nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.ones(channels))

    def forward(self, x):
        return x * self.scale.reshape(-1, 1, 1)


class ScaledLast(tf.keras.layers.Layer):
    def build(self, shape):
        self.scale = self.add_weight(name="scale", shape=(shape[-1],))

    def call(self, x):
        return x * self.scale


def test_a_layer_is_built_with_its_own_order():
    """Of seven channels, not of the last axis of the pair's."""
    x, order = porting.array(("n", 7, 5, 6)), (0, 2, 3, 1)
    pair = porting.Pair(
        torch=Scaled, tf=ScaledLast, inputs={"x": x}, statics={"channels": 7},
        axes={"tf": {"x": order, "output": order}},
    )  # fmt: skip
    report = porting.check(pair, **ASKED)
    assert report.counts["differ"] == 0, str(report)
    assert report.counts["agree"], str(report)
    assert "tf: x with axes [0, 2, 3, 1], output with axes [0, 2, 3, 1]" in report.described[0]


def test_outputs_come_back_in_the_pairs_order():
    def both(x):
        assert x.shape == (4, 5, 3)
        return x + 0, x.sum()

    x = torch.arange(60.0).reshape(3, 4, 5)
    y, total = turned("torch", both, ["x"], {"x": (1, 2, 0), "output": (1, 2, 0)})(x)
    np.testing.assert_array_equal(y, x)
    assert total == x.sum()
    assert turned("torch", both, ["x"], {}) is both


def test_they_are_written_as_options_and_read_again(tmp_path):
    path = tmp_path / "m.py"
    path.write_text("def f(x):\n    return x\n\n\ndef g(x):\n    return x\n")
    options = {
        "torch": f"{path}:f",
        "tf": f"{path}:g",
        "input": ["x=float64[n,c,h,w]"],
        "axes": ["tf:x=0,2,3,1", "tf:output=0,2,3,1"],
    }
    axes = {"tf": {"x": (0, 2, 3, 1), "output": (0, 2, 3, 1)}}
    assert parse_axes(options["axes"]) == axes
    pair = pair_from(options)
    assert pair.axes == axes
    assert "--axes tf:x=0,2,3,1 --axes tf:output=0,2,3,1" in written_pair(pair)
    assert pair.only("torch").axes == {}


@pytest.mark.parametrize(
    ("text", "said"),
    {
        "tf:x": "SIDE:NAME=ORDER",
        "jax:x=0,1": "SIDE:NAME=ORDER",
        "tf:x=last": "SIDE:NAME=ORDER",
        "tf:x=0,2": "no order of 2 axes",
        "tf:x=0,1,2": "say that x has 3 axes, as in --input x=float64[n,c,h]",
        "tf:z=1,0": "say that z has 2 axes",
        "torch:x=1,0": "torch is no side",
    }.items(),
)
def test_what_is_no_order_is_refused(text, said):
    with pytest.raises(PairError, match=said.replace("[", r"\[")):
        porting.Pair(tf="m.py:g", inputs={"x": porting.array(("n", "k"))}, axes=parse_axes([text]))


def test_an_order_is_given_once():
    with pytest.raises(PairError, match="--axes tf:x is given twice"):
        parse_axes(["tf:x=1,0", "tf:x=0,1"])
