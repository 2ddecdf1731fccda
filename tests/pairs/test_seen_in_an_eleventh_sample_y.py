"""Causes that were not those of strangers' code the eleventh time; in its shape."""

from io import StringIO

import pytest
from judged import accused_by, first_cause
from rich.console import Console

import porting
from porting import Pair
from porting.report.text import notes

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from functions import function  # noqa: E402 - needs PyTorch

ANY = {"x": porting.array()}
WIDEST = {"dtypes": ["float64"]}


def causes(report, runner):
    return [d.cause for d in report.diagnoses if d.runner == runner]


# The square of a tiny number is 0, and x / 0 is infinite: nothing is 0 times infinity.


def norm(dy, x):
    y = torch.linalg.norm(x, dim=-1, keepdim=True)
    return dy * torch.where(y > 0, x / torch.where(y > 0, y, 1), 0)


NORM = function(lambda x: torch.linalg.norm(x, dim=-1, keepdim=True), norm)


@tf.custom_gradient
def underflowing_norm(x):
    y = tf.sqrt(tf.reduce_sum(x * x, axis=-1, keepdims=True))

    def backward(dy):
        g = x / y
        return dy * tf.where(tf.math.is_nan(g), tf.zeros_like(g), g)

    return y, backward


def test_what_underflows_is_no_zero_times_infinity():
    pair = Pair(torch=NORM, tf=underflowing_norm, inputs={"x": porting.array(("n", 1))}, reference="torch")
    found, report = accused_by(pair, **WIDEST, only=["vjp", "special_values"])
    assert ("tf", "special_values") in found, str(report)
    assert causes(report, "tf") == ["precision_loss"]


def test_a_mask_times_infinity_is_still_named():
    masked = function(lambda x: x.clamp(0) ** 0.5, lambda dy, x: (x > 0) * (dy / (2 * x.clamp(0).sqrt())))
    right = function(
        lambda x: x.clamp(0) ** 0.5, lambda dy, x: torch.where(x > 0, dy / (2 * torch.where(x > 0, x, 1).sqrt()), 0)
    )

    def root(x):
        return tf.sqrt(tf.where(x > 0, x, tf.ones_like(x))) * tf.cast(x > 0, x.dtype)

    asked = {**WIDEST, "only": ["vjp", "special_values"]}
    pair = Pair(torch=masked, tf=root, inputs=ANY, reference="tf")
    assert first_cause(pair, "torch", **asked) == "zero_times_infinity"
    assert not accused_by(Pair(torch=right, tf=root, inputs=ANY, reference="tf"), **asked)[0]


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


# An error that grows evenly has no place where it starts, and no constant of float32 makes it.


def square_tf(x):
    return tf.square(x)


def sin_tf(x):
    return tf.sin(x)


def smooth(x):
    return torch.tanh(x) * (1 + 1e-7 * x)


def test_a_smooth_error_loses_no_digits():
    pair = Pair(torch=smooth, tf=tf.tanh, inputs=ANY, name="f", reference="tf")
    assert first_cause(pair, "torch", **WIDEST, only=["value", "vjp"]) == "wrong_value"


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


@pytest.mark.parametrize(("wrong", "named"), [(lambda x: 1 + 1e-7 * x, False), (lambda x: 1 + 1e-3 * (x < -100), True)])
def test_a_branch_is_named_where_the_error_has_a_start(wrong, named):
    side = function(torch.square, lambda dy, x: dy * 2 * x * wrong(x))
    pair = Pair(torch=side, tf=square_tf, inputs=ANY, name="square", reference="tf")
    found, report = accused_by(pair, dtypes=["float32"], only=["special_values"])
    assert ("torch", "special_values") in found
    assert ("wrong_branch" in causes(report, "torch")) == named


# A number for a gradient: that it has no shape is the lesser fault.


def rounding(backward):
    @tf.custom_gradient
    def rounded(x):
        return tf.round(x), lambda dy: backward(dy, x)

    return rounded


def passing(x):
    return x + (torch.round(x) - x).detach()


def summed(dy, x):
    return tf.reduce_sum(dy)


@pytest.mark.parametrize(
    ("backward", "first"),
    [
        (lambda dy, x: 1, "ignores_cotangent"),
        (lambda dy, x: tf.reduce_mean(x), "ignores_cotangent"),
        (summed, "wrong_shape"),
    ],
)
def test_a_number_for_a_gradient_ignores_the_cotangent(backward, first):
    pair = Pair(torch=passing, tf=rounding(backward), inputs=ANY, name="rounded", reference="torch")
    assert first_cause(pair, "tf", **WIDEST, only=["vjp", "raw_gradient", "shapes"]) == first


@tf.custom_gradient
def rebound(x):
    x = tf.sqrt(tf.reduce_sum(x * x, axis=1) + 1e-19)
    return x, lambda dy: dy * (x / (tf.norm(x, axis=1) + 1e-19))


def norm_of_rows(x):
    return torch.sqrt((x * x).sum(1) + 1e-19)


def test_what_raises_for_everyday_inputs_is_no_matter_of_shapes_elsewhere():
    pair = Pair(torch=norm_of_rows, tf=rebound, inputs=ANY, name="norms")
    assert first_cause(pair, "tf", **WIDEST, only=["value", "vjp", "shapes"]) == "raises_in_backward"


def weighted(x, a, b):
    return (x[..., None] * a / b).sum(-1)


@tf.custom_gradient
def weighted_tf(x, a, b):
    def backward(dy):
        dx = dy * tf.reduce_sum(a / b, -1)
        of_each = tf.reduce_sum(dy * x)
        return dx, of_each / b[..., 0], -of_each * a / b**2

    return tf.reduce_sum(x[..., None] * a / b, -1), backward


def test_a_cause_of_guessed_shapes_says_so():
    pair = Pair(torch=weighted, tf=weighted_tf, name="weighted")
    report = porting.check(pair, **WIDEST, only=["vjp", "raw_gradient"])
    (cause,) = [d for d in report.diagnoses if d.runner == "tf" and d.cause == "wrong_shape"]
    assert cause.seen.endswith("these shapes are guessed, --input says others")


# A cause stands with what it explains.


def second_raises(dy, x):
    class Inner(torch.autograd.Function):
        @staticmethod
        def forward(ctx, dy, x):
            return dy / x.sqrt() / 2

        @staticmethod
        def backward(ctx, ddx):
            raise ValueError("no second derivative")

    return Inner.apply(dy, x)


def root_tf(x):
    return tf.where(x != 0, tf.sqrt(tf.abs(tf.where(x != 0, x, tf.ones_like(x)))), tf.zeros_like(x))


def test_a_second_derivative_that_raises_is_not_hidden_behind_another_cause():
    masked = function(lambda x: x.abs().sqrt(), lambda dy, x: x.sign() * second_raises(dy, x.abs()))
    pair = Pair(torch=masked, tf=root_tf, inputs=ANY, reference="tf")
    first, second = porting.check(pair, only=["vjp", "special_values", "second_order"]).messages
    assert "(zero_times_infinity, fault)" in first
    assert "second_order" not in first
    assert "(second_order_refused, fault)" in second


def test_what_no_cause_explains_is_not_said_to_be_found_too():
    wrong = function(torch.square, lambda dy, x: -second_raises(dy, x))
    pair = Pair(torch=wrong, tf=square_tf, inputs={"x": porting.array(domain=(0.5, 9.0))}, reference="tf")
    (message,) = porting.check(pair, **WIDEST, only=["vjp", "large", "second_order"]).messages
    assert "found by large too" in message
    assert "of another cause perhaps: second_order" in message


def softplus_tf(x):
    return tf.math.softplus(x)


def softplus_in_place(x):
    return x.exp_().log1p_()


OVERWRITES = function(softplus_in_place, lambda dy, x: dy * torch.sigmoid(x))


def test_what_an_overwritten_input_explains_is_one_finding():
    pair = Pair(torch=OVERWRITES, tf=softplus_tf, inputs=ANY, name="softplus", reference="tf")
    report = porting.check(pair, **WIDEST, only=["vjp", "value", "adjoint", "inputs_unchanged"])
    (message,) = report.messages
    assert "gradient of x differs" in message.splitlines()[0]
    assert "(overwrites_input, fault)" in message


def test_another_gradient_beside_an_overwritten_input_has_a_cause_of_its_own():
    wrong = function(softplus_in_place, lambda dy, x: -dy * (1 - torch.exp(-x)))  # of what was given; its sign is wrong
    pair = Pair(torch=wrong, tf=softplus_tf, inputs=ANY, name="softplus", reference="tf")
    report = porting.check(pair, **WIDEST, only=["vjp", "value", "inputs_unchanged"])
    assert ["wrong_sign" in m for m in report.messages] == [True, False], str(report)


# What two sides would have done wrong is said once, and not of the right side alone.


def test_both_conditions_are_told_once():
    wrong = function(torch.square, lambda dy, x: 3 * x * dy)

    @tf.custom_gradient
    def square_untraced(x):
        return tf.square(x), lambda dy: dy * 2 * tf.convert_to_tensor(x.numpy()) if tf.executing_eagerly() else dy

    report = porting.check(Pair(torch=wrong, tf=square_untraced, inputs=ANY, name="square"), **WIDEST)
    assert len(report.messages) > 1, str(report)
    assert sum("To settle it" in message for message in report.messages) == 1
    assert sum("If PyTorch is right" in message for message in report.messages) == 1


def test_who_is_compared_with_a_number_for_a_gradient_is_not_accused():
    found, report = accused_by(
        Pair(torch=passing, tf=rounding(lambda dy, x: 1), inputs=ANY, name="rounded"), **WIDEST, only=["vjp", "shapes"]
    )
    assert {who for who, _ in found} == {"tf"}
    (note,) = [r.note for r in report.results if (r.runner, r.check) == ("torch", "shapes")]
    assert "a gradient of another shape" in note
    assert len(report.messages) == 1


def test_who_has_a_wrong_gradient_of_its_own_is_still_accused_beside_one():
    wrong = function(lambda x: x.clone(), lambda dy, x: 3 * dy)

    @tf.custom_gradient
    def thin(x):
        return tf.identity(x), tf.squeeze

    found, _ = accused_by(Pair(torch=wrong, tf=thin, inputs=ANY, name="same"), **WIDEST, only=["vjp", "shapes"])
    assert ("torch", "vjp") in found


# An output in float32 loses digits, whatever overflows in float32 besides.


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
    assert "(precision_loss, precision)" in report.messages[0]


# One of two gradients stands in the other one's place.


def product_tf(backward):
    @tf.custom_gradient
    def product(a, x):
        return a @ x, lambda dy: backward(dy, tf.transpose(a), tf.transpose(x))

    return product


@pytest.mark.parametrize(
    ("backward", "cause"),
    [
        (lambda dy, a, x: (dy @ a, dy @ x), "swapped_gradients"),
        (lambda dy, a, x: (dy @ a, a @ dy), "forward_gradient_disagree"),
        (lambda dy, a, x: (2 * dy @ a, dy @ a), "forward_gradient_disagree"),
    ],
)
def test_a_gradient_that_stands_in_the_others_place_is_exchanged(backward, cause):
    inputs = {"a": porting.array(("n", "n")), "x": porting.array(("n", "n"))}
    pair = Pair(torch=lambda a, x: a @ x, tf=product_tf(backward), inputs=inputs, name="product", reference="torch")
    assert first_cause(pair, "tf", **WIDEST, only=["vjp", "value", "adjoint"]) == cause


# A backward that raises is not meant so, and what it says is said once, in its own name.


def told(report):
    console = Console(width=1000, record=True, file=StringIO())
    console.print(notes(report))
    return console.export_text()


def test_a_backward_that_raises_is_said_once():
    @tf.custom_gradient
    def unfinished(x):
        def backward(dy):
            raise ValueError("not written yet")

        return 2 * x, backward

    pair = Pair(torch=lambda x: 2 * x, tf=unfinished, inputs=ANY, name="double")
    text = told(porting.check(pair, **WIDEST, only=["vjp", "nan_input", "nan_cotangent", "indexed_slices", "finite"]))
    assert "NoTruthError" not in text
    assert "may be meant so" not in text
    assert text.count("not written yet") == 1, text  # by the side that is compared with it
    assert "Notes: the backward raises there" in text
    assert "the same error as above" in text


def test_what_is_raised_in_one_use_is_said_in_full():
    @tf.custom_gradient
    def doubled(x):
        return 2 * x, lambda dy: 2.0 * dy

    pair = Pair(torch=lambda x: 2 * x, tf=doubled, inputs=ANY, name="double")
    text = told(porting.check(pair, **WIDEST, only=["vjp", "indexed_slices"]))
    assert "double indexed_slices (tf): backward raised TypeError" in text
    assert "tf.convert_to_tensor(dy)" in text
