"""What was said falsely of strangers' code, and missed in it, the seventh time; typed in again in its shape."""

import pytest
from judged import accused_by

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")

FREE = {"x": porting.array(("n",))}
CHECKS = {"dtypes": ["float64"], "only": ["value", "vjp", "adjoint", "linear", "repeated", "special_values"]}


class Reverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, alpha):
        ctx.alpha = alpha
        return x.view_as(x)

    @staticmethod
    def backward(ctx, dy):
        return -ctx.alpha * dy, None


@tf.custom_gradient
def reverse_by_place(x, lamda=1.0):
    def grad(dy):
        return lamda * -dy, None

    return tf.identity(x), grad


@tf.custom_gradient
def reverse_by_name(x, lamda=1.0):
    def grad(dy):
        return lamda * -dy

    return tf.identity(x), grad


@pytest.mark.parametrize("side", [reverse_by_place, reverse_by_name])
def test_a_static_comes_by_place_where_a_gradient_is_returned_for_it(side):
    pair = Pair(torch=Reverse, tf=side, inputs=FREE, statics={"alpha": 0.7})
    found, report = accused_by(pair, **CHECKS)
    assert not found, str(report)
    assert "alpha=0.7 (tf: lamda)" in next(iter(report.described))


class Within(torch.autograd.Function):
    """Raises beyond the ends of its domain, as `torch.bernoulli` does."""

    @staticmethod
    def forward(ctx, x):
        if x.min() < 0 or x.max() > 1:
            raise RuntimeError("Expected p_in >= 0 && p_in <= 1 to be true")
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return 2 * x * dy


def test_a_forward_that_raises_beyond_its_ends_breaks_no_check():
    pair = Pair(torch=Within, inputs={"x": porting.array(("n",), domain=(0, 1))})
    report = porting.check(pair, dtypes=["float64"], only=["adjoint"])
    assert not [f for r in report.results for f in r.findings], str(report)


class Ternary(torch.autograd.Function):
    """Masks of float32 make its output float32; one of its three gradients has the wrong sign."""

    @staticmethod
    def forward(ctx, kernel, low):
        mask = (kernel < -0.1).float()
        ctx.save_for_backward(mask, low)
        return -low * mask

    @staticmethod
    def backward(ctx, dy):
        mask, low = ctx.saved_tensors
        return low * mask * dy, (mask * dy).sum()


def ternary(kernel, low):
    @tf.custom_gradient
    def quantise(kernel, low):
        mask = tf.cast(kernel < -0.1, kernel.dtype)
        return -low * mask, lambda dy: (low * mask * dy, -tf.reduce_sum(mask * dy))

    return quantise(kernel, low)


def test_a_side_whose_forward_is_exact_is_not_told_another_function():
    described = {"kernel": porting.array(("n", "m")), "low": porting.array((), domain=(0.2, 2))}
    report = porting.check(Pair(torch=Ternary, tf=ternary, inputs=described), **CHECKS)
    assert not [d for d in report.diagnoses if d.runner == "tf"], str(report)
    assert next(d.cause for d in report.diagnoses if d.runner == "torch") == "wrong_sign"
