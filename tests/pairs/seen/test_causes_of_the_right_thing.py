"""A cause is of what differs: no weight holds samples, no exception for other numbers than those that are declared.

Seen in code of public repositories.
"""

import numpy as np
import pytest
from everyday import WIDEST, causes

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


class Binarised(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return torch.sin(x) @ torch.sign(w)

    @staticmethod
    def backward(ctx, dy):
        x, w = ctx.saved_tensors
        return dy @ torch.sign(w).t() * torch.cos(x), torch.sin(x).t() @ dy


class Shared(torch.nn.Module):
    """As many rows of weights as there may be samples; the value does not follow their size."""

    def __init__(self, rows):
        super().__init__()
        self.w = torch.nn.Parameter(torch.ones(rows, 3))

    def forward(self, x):
        return Binarised.apply(x, self.w)


class SharedTF(tf.Module):
    def __init__(self, rows, wrong):
        super().__init__()
        self.w = tf.Variable(tf.ones((rows, 3)))
        self.wrong = wrong

    def __call__(self, x):
        @tf.custom_gradient
        def inner(x, w):
            def grad(dy):
                dw = tf.matmul(tf.sin(x), dy, transpose_a=True)
                dx = tf.matmul(dy, tf.sign(w), transpose_b=True) * tf.cos(x)
                return dx, tf.zeros_like(dw) if self.wrong else dw

            return tf.sin(x) @ tf.sign(w), grad

        return inner(x, tf.convert_to_tensor(self.w))


@pytest.mark.parametrize("rows", [2, 3, 4, 5])
def test_the_rows_of_a_weight_are_no_samples(rows):
    asked = {**WIDEST, "only": ["value", "vjp"]}
    inputs = {"x": porting.array(("n", rows))}
    right = porting.check(Pair(torch=Shared(rows), tf=SharedTF(rows, False), inputs=inputs), **asked)
    assert right.exit_code == 0, str(right)
    report = porting.check(Pair(torch=Shared(rows), tf=SharedTF(rows, True), inputs=inputs), **asked)
    assert "mixes_batch" not in {d.cause for d in report.diagnoses}, str(report)
    assert "missing_gradient" in causes(report, "tf"), str(report)


def turned(x):
    return x * np.exp(0.5j)


def turned_tf(x):
    return x * tf.constant(np.exp(0.5j), x.dtype)


def numpy_in_a_graph_tf(x):
    factor = tf.exp(tf.constant(0.5j, x.dtype))
    return x * tf.constant(factor.numpy(), x.dtype)


def test_what_a_graph_raises_for_complex_numbers_is_told_of_the_graph():
    """An exception for real numbers, which nobody declared, was told instead."""
    inputs = {"x": porting.array(("n",), dtype="complex64")}
    asked = {"only": ["complex_numbers", "traced", "vjp"]}
    report = porting.check(Pair(torch=turned, tf=turned_tf, inputs=inputs), **asked)
    assert report.counts["differ"] == 0, str(report)
    report = porting.check(Pair(torch=turned, tf=numpy_in_a_graph_tf, inputs=inputs), **asked)
    assert causes(report, "tf")[:1] == ["graph_mode_fails"], str(report)


class Recomputed(tf.Module):
    """A graph hands captured variables over in another order than they were made in."""

    def __init__(self, right):
        super().__init__()
        self.kernel = tf.Variable(tf.ones((4, 3)))
        self.bias = tf.Variable(tf.ones(3))
        self.right = right

    def __call__(self, x):
        @tf.custom_gradient
        def inner(x):
            def grad(dy, variables=None):
                found = {
                    self.kernel.ref(): tf.matmul(x, dy, transpose_a=True),
                    self.bias.ref(): tf.reduce_sum(dy, 0),
                }
                given = list(variables)
                by_order = [*found.values()] if tf.executing_eagerly() else [*found.values()][::-1]
                first = given and given[0].ref() == self.kernel.ref()
                wrong = by_order if first else by_order[::-1]
                return tf.matmul(dy, self.kernel, transpose_b=True), (
                    [found[v.ref()] for v in given] if self.right else wrong
                )

            return x @ self.kernel + self.bias, grad

        return inner(x)


class Linear(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.kernel = torch.nn.Parameter(torch.ones(4, 3))
        self.bias = torch.nn.Parameter(torch.ones(3))

    def forward(self, x):
        return x @ self.kernel + self.bias


@pytest.mark.parametrize(("right", "found"), [(True, []), (False, ["swapped_gradients"])])
def test_gradients_that_a_graph_gets_in_another_order_are_exchanged(right, found):
    inputs = {"x": porting.array(("n", 4))}
    asked = {**WIDEST, "only": ["value", "vjp", "traced", "xla"]}
    report = porting.check(Pair(torch=Linear(), tf=Recomputed(right), inputs=inputs, reference="torch"), **asked)
    assert causes(report, "tf") == found, str(report)


class Smooth(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        if x.dtype != torch.float32:
            raise TypeError("float32 is wanted")
        ctx.save_for_backward(x)
        return x * x + 3 * x + 8

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * (2 * x + 3) * x / x


@tf.custom_gradient
def smooth_tf(x):
    return x * x + tf.constant(3.0) * x + 8, lambda dy: dy * (2 * x + 3) * x / x


def test_rounding_of_float32_is_no_kink():
    report = porting.check(Pair(torch=Smooth, tf=smooth_tf, inputs={"x": porting.array(dtype="float32")}))
    told = [f for r in report.results if r.check == "finite" for f in r.findings]
    assert told, str(report)
    assert not any(f.fields.get("kink") for f in told), [str(f) for f in told]
