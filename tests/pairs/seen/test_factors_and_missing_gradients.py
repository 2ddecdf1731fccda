"""A gradient that is off by a factor, or is not there at all: named where it is so, and where nothing else is.

Seen in code of public repositories.
"""

import pytest
from everyday import ANY, CHECKS, WIDEST, causes
from judged import accused, accused_by, first_cause

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from functions import function  # noqa: E402 - needs PyTorch


class MeanLog(torch.autograd.Function):
    """The mean of -log(x + 1e-9), whose gradient forgets the 1/n and the 1e-9."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return -torch.log(x + 1e-9).mean()

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return -dy / x


def mean_log(x):
    return -tf.reduce_mean(tf.math.log(x + 1e-9))


def test_a_factor_is_named_beside_a_small_constant():
    pair = Pair(torch=MeanLog, tf=mean_log, inputs={"x": porting.array(("n",), domain=(1e-4, 1))}, reference="tf")
    assert first_cause(pair, "torch", dtypes=["float64"]) == "constant_factor"


@pytest.mark.slow
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
def exp_squared(x):
    """The maximum that was taken out for stability never comes back."""
    square = x**2
    return tf.exp(square), lambda dy: dy * 2 * x * tf.exp(square - tf.reduce_max(square))


class ExpSquared(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.exp(x**2)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * 2 * x * torch.exp(x**2)


def test_a_factor_that_follows_from_the_numbers_is_no_constant():
    inputs = {"x": porting.array(("n",), domain=(-3, 3))}
    pair = Pair(torch=ExpSquared, tf=exp_squared, inputs=inputs, reference="torch")
    assert first_cause(pair, "tf", dtypes=["float64"]) != "constant_factor"


@pytest.mark.slow
def test_a_number_of_float32_is_no_factor():
    class Leaky(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 0.3

        @staticmethod
        def backward(ctx, dy):
            return dy * torch.tensor(0.3, dtype=torch.float32).double().to(dy.dtype)

    _, report = accused(Pair(torch=Leaky, tf=lambda x: x * 0.3))
    assert "constant_factor" not in [d.cause for d in report.diagnoses], str(report)
    assert report.exit_code == 1


# A factor that is the same number at all elements is no function of the input.


def clipped(factor):
    return function(lambda x: x.clamp(1, 255), lambda dy, x: torch.where((x >= 1) & (x <= 255), 1, factor(x)) * dy)


@tf.custom_gradient
def clipped_tf(x):
    return tf.clip_by_value(x, 1, 255), lambda dy: tf.where((x >= 1) & (x <= 255), dy, 1e-3 * dy)


def test_a_constant_of_float32_is_no_inner_function():
    narrow = clipped(lambda _: torch.tensor(1e-3, dtype=torch.float32).double())
    found, report = accused_by(Pair(torch=narrow, tf=clipped_tf, inputs=ANY, reference="tf"), **WIDEST, only=["vjp"])
    assert ("torch", "vjp") in found
    assert causes(report, "torch")[0] == "precision_loss"
    assert "missing_inner_derivative" not in causes(report, "torch")


@pytest.mark.parametrize(("number", "said"), [(1, "the factor x"), (-1, "the factor -x"), (3, "the factor 3 * x")])
def test_an_inner_derivative_is_still_named_without_a_one(number, said):
    forgets = function(lambda x: number * x**2 / 2, lambda dy, x: dy)
    pair = Pair(torch=forgets, tf=lambda x: number * x**2 / 2, inputs=ANY, reference="tf")
    report = porting.check(pair, **WIDEST, only=["vjp", "value"])
    first = next(d for d in report.diagnoses if d.runner == "torch")
    assert first.cause == "missing_inner_derivative"
    assert first.seen.endswith(said)


class Scaled(torch.autograd.Function):
    """x * w, with no gradient of w; dy is overwritten, too."""

    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(w)
        return x * w

    @staticmethod
    def backward(ctx, dy):
        (w,) = ctx.saved_tensors
        return dy.mul_(w), None


@tf.custom_gradient
def scaled(x, w):
    return x * w, lambda dy: (dy * w, dy * x)


def test_a_missing_gradient_comes_before_an_overwritten_cotangent():
    inputs = {name: porting.array(("n",)) for name in "xw"}
    assert first_cause(Pair(torch=Scaled, tf=scaled, inputs=inputs, reference="tf"), "torch") == "missing_gradient"


class Hard(torch.autograd.Function):
    """A step with the derivative of a step."""

    @staticmethod
    def forward(ctx, x):
        return (x > 0).to(x.dtype)

    @staticmethod
    def backward(ctx, dy):
        return torch.zeros_like(dy)


@tf.custom_gradient
def soft(x):
    return tf.cast(x > 0, x.dtype), lambda dy: dy * tf.sigmoid(x) * tf.sigmoid(-x)


@pytest.mark.slow
def test_zeros_throughout_are_a_missing_gradient():
    assert first_cause(Pair(torch=Hard, tf=soft, reference="tf"), "torch") == "missing_gradient"


def test_a_gradient_that_is_missing_explains_no_other_one():
    def right(x, s):
        return torch.tanh(x) * s

    half = function(right, lambda dy, x, s: (dy * s * (1 + torch.tanh(x) ** 2), None))
    pair = Pair(torch=half, like=right, inputs={"x": porting.array(("n", "m")), "s": porting.array(())})
    found = [d.cause for d in porting.check(pair, **CHECKS).diagnoses]
    assert found[0] != "missing_gradient"
    assert "missing_gradient" in found


# No gradient reaches an output that is marked.


class Marked(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = (x > 0.5).to(x.dtype)
        ctx.mark_non_differentiable(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        return dy


class Inside(torch.autograd.Function):
    """Asks autograd for the gradient of what has none, in its own backward."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (x > 0.5).to(x.dtype)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return torch.autograd.grad(2 * x, x, dy)[0]


@tf.custom_gradient
def passed(x):
    return tf.cast(x > 0.5, x.dtype), lambda dy: dy


@pytest.mark.parametrize(("side", "first"), [(Marked, "missing_gradient"), (Inside, "raises_in_backward")])
def test_no_gradient_is_missing_where_the_backward_itself_raises(side, first):
    report = porting.check(Pair(torch=side, tf=passed), only=["value", "vjp"])
    assert causes(report, "torch")[0] == first, str(report)


def test_nothing_is_missing_where_the_true_gradient_is_zero():
    pair = Pair(torch=lambda x: (x > 0.5).to(x.dtype), tf=lambda x: tf.cast(x > 0.5, x.dtype) + 0 * x)
    assert "missing_gradient" not in causes(porting.check(pair, only=["value", "vjp"]), "torch")


# A factor that happens to be the length of an axis.


@pytest.mark.parametrize(("shape", "named"), [((3, 2, 7), False), (("a", "b", "c"), True)])
def test_a_length_of_an_axis_is_seen_in_two_shapes(shape, named):
    def times(x):
        return function(lambda x: x.sin(), lambda dy, x: dy * x.cos() * x.shape[0] / x.shape[2])(x)

    pair = Pair(torch=times, tf=tf.sin, inputs={"x": porting.array(shape, dtype="float32")}, reference="tf")
    report = porting.check(pair, dtypes=["float32"], only=["value", "vjp"])
    assert ("wrong_axis" in causes(report, "torch")) == named, str(report)
    assert named or causes(report, "torch")[0] == "constant_factor"


# What is wrong with one gradient, beside one that is missing.

LINEAR = {"x": porting.array(("n", 4)), "w": porting.array((4, 3)), "b": porting.array((3,))}


def linear_tf(x, w, b):
    return x @ w + b


def of_each(backward, reference="tf"):
    pair = Pair(torch=function(lambda x, w, b: x @ w + b, backward), tf=linear_tf, inputs=LINEAR, reference=reference)
    report = porting.check(pair, **CHECKS)
    return {(d.cause, d.of_input) for d in report.diagnoses if d.runner == "torch"}, report


@pytest.mark.slow
@pytest.mark.parametrize("reference", ["tf", None])
def test_each_wrong_gradient_has_its_own_cause_beside_a_missing_one(reference):
    found, report = of_each(lambda g, x, w, b: (-g @ w.mT, 2 * x.mT @ g, None), reference)
    assert found >= {("missing_gradient", "b"), ("wrong_sign", "x"), ("constant_factor", "w")}, str(report)
    assert all(name in report.messages[0] for name in ("missing_gradient", "wrong_sign", "constant_factor"))


@pytest.mark.slow
def test_a_gradient_that_is_wrong_in_no_known_way_is_told_beside_a_missing_one():
    found, report = of_each(lambda g, x, w, b: (g @ w.mT + 1, x.mT @ g, None))
    assert ("missing_gradient", "b") in found, str(report)
    assert "gradient of x is off too" in report.messages[0]


@pytest.mark.slow
def test_what_is_wrong_is_told_beside_a_gradient_that_ignores_its_cotangent():
    found, report = of_each(lambda g, x, w, b: (torch.ones_like(g) @ w.mT, 3 * x.mT @ g, g.sum(0)))
    assert {("constant_factor", "w")} < found, str(report)
    assert {"ignores_cotangent"} < {cause for cause, _ in found}, str(report)


def test_a_right_gradient_has_no_cause_beside_a_missing_one():
    found, report = of_each(lambda g, x, w, b: (g @ w.mT, x.mT @ g, None))
    assert {name for _, name in found} == {""}, str(report)
    assert not {"wrong_sign", "constant_factor"} & {cause for cause, _ in found}, str(report)


@pytest.mark.slow
def test_one_cause_of_all_gradients_is_said_once():
    found, report = of_each(lambda g, x, w, b: (-g @ w.mT, -x.mT @ g, -g.sum(0)))
    assert {name for _, name in found} == {""}, str(report)
    assert "so the gradient of w and b" in report.messages[0]


class Squeezed(torch.autograd.Function):
    """Two numbers on a processor of float32: the second gradient has a digit less than a factor is asked for."""

    times = 1.0

    @staticmethod
    def forward(ctx, r, phi):
        ctx.save_for_backward(r, phi)
        return torch.tanh(r.float()) * torch.cos(phi.float())

    @classmethod
    def backward(cls, ctx, dy):
        r, phi = (v.float() for v in ctx.saved_tensors)
        noisy = (32 + torch.tanh(r) * torch.sin(phi)) - 32  # five digits are left
        return cls.times * dy * (1 - torch.tanh(r) ** 2) * torch.cos(phi), -cls.times * dy * noisy


class SqueezedTwice(Squeezed):
    times = 2.0


def squeezed(r, phi):
    return tf.tanh(r) * tf.cos(phi)


def test_a_factor_of_a_gradient_of_few_digits_is_named_of_both_inputs():
    inputs = {n: porting.array((), dtype="float32") for n in ("r", "phi")}
    report = porting.check(Pair(torch=SqueezedTwice, tf=squeezed, inputs=inputs, reference="tf"), only=["value", "vjp"])
    first = next(d for d in report.diagnoses if d.runner == "torch")
    assert first.cause == "constant_factor", str(report)
    assert "of r is" in first.seen
    assert "of phi is some 2 times" in first.seen
