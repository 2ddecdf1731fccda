"""What was said falsely of strangers' code, and what was missed in it, the fourth time; typed in again in its shape."""

import pytest
from judged import accused_by, first_cause

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")

ROWS = {"x": porting.array(("m", "n"))}


@tf.custom_gradient
def softmax(x):
    y = tf.nn.softmax(x)
    return y, lambda dy: y * (dy - tf.reduce_sum(dy * y, -1, keepdims=True))


class NoGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return torch.softmax(x, -1)

    @staticmethod
    def backward(ctx, dy):
        return None


@pytest.mark.parametrize("seed", range(4))
def test_beside_a_missing_gradient_rounding_breaks_no_law(seed):
    found, report = accused_by(Pair(torch=NoGradient, tf=softmax, inputs=ROWS), only=["linear"], seed=seed)
    assert not found, str(report)


class Share(torch.autograd.Function):
    """Saves its output, and a sum, which is a constant to a second derivative."""

    @staticmethod
    def forward(ctx, z, valid):
        part = torch.nn.functional.softplus(z).masked_fill(valid == 0, 0.0)
        total = part.sum(1, keepdim=True).clamp_min(1e-6)
        ctx.save_for_backward(part / total, total, valid)
        return part / total

    @staticmethod
    def backward(ctx, dy):
        y, total, valid = ctx.saved_tensors
        dz = (dy - (dy * y).sum(1, keepdim=True)) / total * -torch.expm1(-y * total)
        return dz.masked_fill(valid == 0, 0.0), None


def share(z, valid):
    @tf.custom_gradient
    def f(z):
        part = tf.where(valid != 0, tf.math.softplus(z), tf.zeros_like(z))
        total = tf.maximum(tf.reduce_sum(part, 1, keepdims=True), tf.cast(1e-6, z.dtype))
        y = part / total

        def grad(dy):
            dz = (dy - tf.reduce_sum(dy * y, 1, keepdims=True)) / total * -tf.math.expm1(-y * total)
            return tf.where(valid != 0, dz, tf.zeros_like(dz))

        return y, grad

    return f(z)


@pytest.mark.parametrize("seed", range(3))
def test_what_a_mask_leaves_of_a_second_derivative(seed):
    inputs = {
        "z": porting.array(("p", "l", "d")),
        "valid": porting.array(("p", "l", 1), dtype="int64", domain=range(2)),
    }
    only = ["second_order", "keyword_call"]
    found, report = accused_by(Pair(torch=Share, tf=share, inputs=inputs), only=only, seed=seed)
    assert found == {("torch", "second_order")}, str(report)
    assert "note" not in {r.status for r in report.results if r.check == "keyword_call"}, str(report)


def turning(conjugate):
    @tf.custom_gradient
    def turn(x):
        y = tf.complex(tf.cos(x), tf.sin(x))
        return y, lambda dy: tf.math.real((tf.math.conj(y) if conjugate else y) * dy * tf.constant(-1j, dy.dtype))

    return turn


def turn(x):
    return torch.polar(torch.ones_like(x), x)


def plain_turn(x):
    return tf.complex(tf.cos(x), tf.sin(x))


def test_complex_outputs_of_real_inputs_are_compared_by_their_parts():
    found, report = accused_by(Pair(torch=turn, tf=plain_turn))
    assert not found, str(report)
    assert report.exit_code == 0
    found, report = accused_by(Pair(torch=turn, tf=turning(conjugate=False), reference="torch"))
    assert ("tf", "vjp") in found, str(report)
    assert {who for who, _ in found} == {"tf"}, str(report)


class Gather(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, i):
        ctx.save_for_backward(i)
        ctx.shape = x.shape
        return x[i[:, 0]]

    @staticmethod
    def backward(ctx, dy):
        (i,) = ctx.saved_tensors
        return dy.new_zeros(ctx.shape).index_add(0, i[:, 0], dy), None


@tf.custom_gradient
def gather(x, i):
    assert i.dtype == tf.int32
    return tf.gather_nd(x, i), lambda dy: (tf.scatter_nd(i, dy, tf.shape(x)), None)


def test_integers_have_the_type_that_they_are_declared_with():
    inputs = {"x": porting.array((4, 3)), "i": porting.array(("n", 1), dtype="int32", domain=range(4))}
    found, report = accused_by(Pair(torch=Gather, tf=gather, inputs=inputs))
    assert not found, str(report)


class Single(torch.autograd.Function):
    """Wrong in float32's first digit, in a gradient that is of float32 by the way."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (x > 0).float()

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * x / (1 + x.abs())


@tf.custom_gradient
def single(x):
    return tf.cast(x > 0, x.dtype), lambda dy: dy / (1 + tf.abs(x)) ** 2


def test_a_type_that_explains_no_number_is_not_the_first_cause():
    pair = Pair(torch=Single, tf=single, inputs={"x": porting.array()}, reference="tf")
    assert first_cause(pair, "torch") == "forward_gradient_disagree"


def test_a_single_number_has_a_factor_whatever_is_wrong():
    class Slope(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, a):
            ctx.save_for_backward(x, a)
            return torch.where(x > 0, x, a * x)

        @staticmethod
        def backward(ctx, dy):
            x, a = ctx.saved_tensors
            return torch.where(x > 0, dy, a * dy), (dy * x.abs() * (x < 1)).sum()

    def slope(x, a):
        return tf.where(x > 0, x, a * x)

    inputs = {"x": porting.array(("n",)), "a": porting.array((), domain=(0.1, 0.5))}
    pair = Pair(torch=Slope, tf=slope, inputs=inputs, reference="tf")
    assert first_cause(pair, "torch", dtypes=["float64"]) != "constant_factor"


@tf.custom_gradient
def cross_entropy(x, label):
    e = tf.exp(x)
    total = tf.reduce_sum(e, -1)
    dx = e / total[..., None] - label
    return tf.math.log(total) - tf.reduce_sum(x * label, -1), lambda dy: (dx * dy[..., None], tf.zeros_like(label))


def test_an_exponential_that_is_too_large_is_an_overflow():
    class CrossEntropy(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, label):
            ctx.save_for_backward(x, label)
            return torch.logsumexp(x, -1) - (x * label).sum(-1)

        @staticmethod
        def backward(ctx, dy):
            x, label = ctx.saved_tensors
            return (torch.softmax(x, -1) - label) * dy[..., None], None

    inputs = {"x": porting.array(("m", "n")), "label": porting.array(("m", "n"), domain=(0, 1))}
    pair = Pair(torch=CrossEntropy, tf=cross_entropy, inputs=inputs, reference="torch")
    assert first_cause(pair, "tf") == "overflow"


def by_exponentials(x):
    return (torch.exp(x) - torch.exp(-x)) / (torch.exp(x) + torch.exp(-x))


def test_a_value_that_is_not_a_number_far_out_is_no_other_function():
    assert first_cause(Pair(torch=by_exponentials, tf=tf.tanh, reference="tf"), "torch") == "overflow"
