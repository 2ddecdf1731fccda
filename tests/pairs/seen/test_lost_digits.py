"""Lost digits, and a type that is too narrow, are told as a cause only of what they explain.

Seen in code of public repositories.
"""

import pytest
from everyday import ANY, CHECKS, CHECKS_AND_INPUTS, CHECKS_AND_REPEATED, FREE, WIDEST, causes
from judged import accused, accused_by, first_cause

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from functions import function  # noqa: E402 - needs PyTorch


class FlatSpike(torch.autograd.Function):
    """Computes in float32, as spiking code does, with another slope than the other side."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (x > 0).float()

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * torch.exp(-x.abs())


@tf.custom_gradient
def steep_spike(x):
    """Have a slope of half the width."""
    return tf.cast(x > 0, x.dtype), lambda dy: dy * 0.5 * tf.exp(-tf.abs(x) / 2)


@pytest.mark.slow
def test_rounding_is_not_the_cause_of_another_formula():
    _, report = accused(Pair(torch=FlatSpike, tf=steep_spike))
    first = next(d.cause for d in report.diagnoses if d.runner == "torch")
    assert first not in {"not_linear", "precision_loss"}


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


@pytest.mark.slow
def test_a_type_that_explains_no_number_is_not_the_first_cause():
    pair = Pair(torch=Single, tf=single, inputs={"x": porting.array()}, reference="tf")
    assert first_cause(pair, "torch") == "forward_gradient_disagree"


def test_lost_digits_of_one_input_do_not_explain_the_sign_of_another():
    class Shifted(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, w):
            mask = (x > 0).to(x.dtype)
            ctx.save_for_backward(mask)
            return -w * mask

        @staticmethod
        def backward(ctx, dy):
            (mask,) = ctx.saved_tensors
            return mask * dy * torch.tensor(0.7).double(), (mask * dy).sum()

    @tf.custom_gradient
    def shifted(x, w):
        mask = tf.cast(x > 0, x.dtype)
        return -w * mask, lambda dy: (0.7 * mask * dy, -tf.reduce_sum(mask * dy))

    inputs = {"x": porting.array(("n",)), "w": porting.array((), domain=(0.1, 1))}
    _, report = accused(Pair(torch=Shifted, tf=shifted, inputs=inputs, reference="tf"), only=["value", "vjp"])
    assert report.diagnoses[0].cause == "wrong_sign", str(report)


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


@pytest.mark.slow
def test_a_side_whose_forward_is_exact_is_not_told_another_function():
    described = {"kernel": porting.array(("n", "m")), "low": porting.array((), domain=(0.2, 2))}
    report = porting.check(Pair(torch=Ternary, tf=ternary, inputs=described), **CHECKS_AND_REPEATED)
    told = [d for d in report.diagnoses if d.runner == "tf"]
    assert all(d.provided for d in told), str(report)  # each side's sign is wrong if the other one's is right
    assert "wrong_value" not in {d.cause for d in told}, str(report)
    assert next(d.cause for d in report.diagnoses if d.runner == "torch") == "wrong_sign"


class Grid(torch.autograd.Function):
    """The forward rounds to float32 on the way, the gradient is one of another place."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.sin(x).float().to(x.dtype)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * torch.cos(x + 1.3).float()


def test_rounding_in_the_forward_explains_no_gradient_of_another_place():
    report = porting.check(Pair(torch=Grid, tf=tf.sin, inputs=FREE), **CHECKS_AND_REPEATED)
    assert next(iter(report.diagnoses)).cause == "forward_gradient_disagree", str(report)
    assert "wrong_value" not in {d.cause for d in report.diagnoses}


def series(times):
    """Sum two terms of a series far below 0, as an expansion of log_ndtr has them."""

    def value(x, log, where):
        far = where(x < -5, x, -5 + 0 * x)
        return where(x < -5, log(1 - 1 / far**2 + times * 3 / far**4) - far**2 / 2, -(x**2) / 2)

    return value


def test_a_term_that_is_wrong_far_out_loses_no_digits():
    def wrong(x):
        return series(1.01)(x, torch.log, torch.where)

    def right(x):
        return series(1.0)(x, torch.log, torch.where)

    found = first_cause(Pair(torch=wrong, like=right, inputs=FREE), "torch", **CHECKS)
    assert found in {"wrong_value", "wrong_branch"}


def test_a_small_constant_in_a_formula_loses_no_digits_of_a_type():
    def right(x):
        return torch.log(x * x + 1)

    regular = function(right, lambda dy, x: dy * 2 * x / (x * x + 1 + 1e-11))
    found, report = accused_by(Pair(torch=regular, like=right, inputs=FREE), **CHECKS)
    assert ("torch", "vjp") in found
    assert not [d for d in report.diagnoses if d.cause == "precision_loss"], str(report)


def test_where_the_truth_is_nan_no_digits_are_lost():
    def right(x):
        return torch.acos(x)

    clipped = function(right, lambda dy, x: -dy / torch.sqrt((1 - x * x).abs()))
    _, report = accused_by(Pair(torch=clipped, like=right, inputs=FREE), **CHECKS)
    assert not [d for d in report.diagnoses if d.cause == "precision_loss"], str(report)


@pytest.mark.slow
def test_a_term_that_is_wrong_in_the_tenth_digit_is_no_rounding():
    def forward(x):
        return tf.sqrt(1 + x * x) * (1 + 1e-11 * x)

    pair = Pair(torch=lambda x: torch.sqrt(1 + x * x), tf=forward, inputs=ANY, reference="torch")
    assert first_cause(pair, "tf", **CHECKS_AND_INPUTS) != "precision_loss"


# An output in float32 loses digits, whatever overflows in float32 besides.


@pytest.mark.slow
def test_an_output_in_float32_is_not_another_function():
    def spike(dy, x):
        e = torch.exp(-25 * x)
        return dy * 25 * e / (e + 1) ** 2

    narrow = function(lambda x: (x > 0).float(), spike)

    @tf.custom_gradient
    def spike_tf(x):
        s = tf.sigmoid(25 * x)
        return tf.cast(x > 0, x.dtype), lambda dy: dy * 25 * s * (1 - s)

    report = porting.check(Pair(torch=narrow, tf=spike_tf, inputs=ANY, name="spike", reference="tf"))
    assert "(wrong_dtype, fault)" in report.messages[0]


# An error that grows evenly has no place where it starts, and no constant of float32 makes it.


def smooth(x):
    return torch.tanh(x) * (1 + 1e-7 * x)


def test_a_smooth_error_loses_no_digits():
    pair = Pair(torch=smooth, tf=tf.tanh, inputs=ANY, name="f", reference="tf")
    assert first_cause(pair, "torch", **WIDEST, only=["value", "vjp"]) == "wrong_value"


def sin_tf(x):
    return tf.sin(x)


@pytest.mark.parametrize(
    ("backward", "cause"),
    [
        (lambda dy, x: dy * x.cos() * (1 + 1e-7 * x), "forward_gradient_disagree"),
        (lambda dy, x: dy * (x * torch.tensor(1.1, dtype=torch.float32) / 1.1).cos(), "precision_loss"),
    ],
)
def test_a_smooth_gradient_loses_no_digits_and_a_narrow_constant_does(backward, cause):
    pair = Pair(torch=function(torch.sin, backward), tf=sin_tf, inputs=ANY, name="f", reference="tf")
    assert first_cause(pair, "torch", **WIDEST, only=["value", "vjp", "adjoint"]) == cause


def test_digits_that_a_formula_loses_in_every_type_are_no_other_function():
    report = porting.check(Pair(torch=lambda x: (x + 1e5) - 1e5, tf=lambda x: x * 1.0, inputs=FREE), only=["value"])
    assert causes(report, "torch")[0] == "precision_loss", str(report)
    assert "precision_loss" in str(report)
    assert "If TensorFlow is right: The forward computes" not in str(report)


# The difference of two large numbers, in float32: no branch is wrong where half of the digits are right.


def total(x):
    return x.sum(-1)


def total_dy(dy, x):
    return dy.unsqueeze(-1).expand_as(x).clone()


def beside_a_large_number(x):
    large = 3e4 * (x.abs().amax(-1) > 20)
    return (total(x) + large) - large


def less_far_out(x):
    return torch.where(x.abs().amax(-1) > 20, 0.9, 1.0) * total(x)


@pytest.mark.parametrize(
    ("forward", "cause"), [(beside_a_large_number, "precision_loss"), (less_far_out, "wrong_branch")]
)
def test_a_difference_of_large_numbers_in_float32_is_no_branch(forward, cause):
    pair = Pair(torch=function(forward, total_dy), like=total, inputs={"x": porting.array(("n", "k"))})
    report = porting.check(pair, dtypes=["float32"], only=["value", "vjp", "special_values"])
    assert causes(report, "torch")[:1] == [cause], str(report)


# A constant in float32 is as smooth as a formula: nothing shows which of two sides has it.


def gelu_of(root):
    return lambda x: 0.5 * x * (1 + torch.erf(x / root))


@pytest.mark.parametrize(("sides", "root"), [({"tf": tf.nn.gelu}, 2**0.5), ({"like": gelu_of(1.41421354)}, 2**0.5)])
def test_who_has_lost_smooth_digits_is_not_said(sides, root):
    reference = "tf" if "tf" in sides else None
    pair = Pair(torch=gelu_of(root), **sides, inputs=ANY, reference=reference)
    found, report = accused(pair, **CHECKS)
    assert found == {"torch"}, str(report)
    first = report.diagnoses[0]
    assert first.cause == "precision_loss"
    assert first.provided, str(report)
    assert f"{first.provided} may be the one that lost them" in first.seen


def test_who_rounds_to_float32_is_said():
    rounded = function(torch.sin, lambda dy, x: dy * x.float().cos().to(x.dtype))
    _, report = accused(Pair(torch=rounded, tf=tf.sin, inputs=ANY, reference="tf"), **CHECKS)
    assert [(d.cause, d.provided) for d in report.diagnoses[:1]] == [("precision_loss", "")], str(report)


# Where both sides have no number, the others still say whose digits are lost.


class ThroughFloat32(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.log(x) * torch.cos(x).float().to(x.dtype)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy / torch.log(x) * torch.sin(x).float().to(x.dtype)


@tf.custom_gradient
def in_float64(x):
    return tf.math.log(x) * tf.cos(x), lambda dy: dy / tf.math.log(x) * tf.sin(x)


def test_numbers_beside_a_nan_of_both_sides_say_whose_digits_are_lost():
    pair = Pair(torch=ThroughFloat32, tf=in_float64, inputs={"x": porting.array(("n",))})
    found, report = accused_by(pair, **CHECKS)
    assert {side for side, _ in found} == {"torch"}, str(report)
    assert causes(report, "torch")[0] == "precision_loss", str(report)
    assert "wrong_value" not in causes(report, "torch"), str(report)
    assert not causes(report, "tf"), str(report)


def test_a_type_is_another_one_whoever_has_lost_digits():
    report = porting.check(
        Pair(torch=lambda x: x * 2, tf=tf.custom_gradient(lambda x: (x * 2, lambda dy: tf.cast(dy * 2.1, tf.float32)))),
        **{**CHECKS, "only": [*CHECKS["only"], "raw_gradient"]},
    )
    told = [d for d in report.diagnoses if d.cause == "wrong_dtype"]
    assert told, str(report)
    assert not any(d.provided or "may be the one" in d.seen for d in told), str(report)
