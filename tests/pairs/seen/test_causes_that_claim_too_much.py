"""A cause is told of what it explains, and of no more; nobody is blamed for what another side did.

Seen in code of public repositories.
"""

import pytest
from everyday import ANY, causes, differing
from judged import accused

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from functions import function  # noqa: E402 - needs PyTorch

SINGLE = {"x": porting.array(("n", "k"), dtype="float32")}

# What a side raises by itself is its own, whatever the other one is.


class Noisy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        kept = torch.sigmoid(x + torch.rand_like(x))
        ctx.save_for_backward(kept)
        return kept

    @staticmethod
    def backward(ctx, dy):
        (kept,) = ctx.saved_tensors
        return dy * kept * (1 - kept)


def noisy(more=()):
    @tf.custom_gradient
    def f(x):
        kept = tf.sigmoid(x + tf.random.uniform(tf.shape(x), dtype=x.dtype))
        return kept, lambda dy: (dy * kept * (1 - kept), *more)

    return f


@pytest.mark.slow
def test_a_gradient_too_many_is_found_beside_random_numbers():
    pair = Pair(torch=Noisy, tf=noisy(more=(None,)), inputs=SINGLE)
    found, report = accused(pair)
    assert found == {"tf"}, str(report)
    assert causes(report, "tf")[0] == "wrong_count", str(report)


def test_two_that_draw_random_numbers_are_accused_of_nothing():
    found, report = accused(Pair(torch=Noisy, tf=noisy(), inputs=SINGLE))
    assert not found, str(report)
    assert not [r for r in report.results if r.check == "adjoint" and r.status != "agree"], str(report)


# A fifth of a large array is not a few elements; one row in a hundred is.


def halved_in(period):
    """Return the cube, whose gradient is halved at every so many places of an array of a thousand or more."""

    def slope(dy, x):
        dx = 3 * x**2 * dy
        if dx.numel() > 1000:
            flat = dx.reshape(-1).clone()
            flat[::period] /= 2
            dx = flat.reshape(dx.shape)
        return dx

    return function(lambda x: x**3, slope)


@pytest.mark.parametrize(("period", "few"), [(5, False), (100, True)])
def test_a_few_elements_are_few_of_a_large_array(period, few):
    pair = Pair(torch=halved_in(period), tf=lambda x: x**3, inputs=ANY, reference="tf")
    report = porting.check(pair, only=["vjp", "large"], dtypes=["float64"])
    assert ("torch", "large") in differing(report), str(report)
    assert ("few_elements" in causes(report, "torch")) is few, str(report)


# A number of float32 on the way costs digits; a number that is a hundred times the right one has another cause.


def leaking(top=300.0):
    """Return a slope that leaks a hundredth, kept in float32, below 1 and beyond a top."""

    def slope(dy, x):
        return torch.where((x >= 1) & (x <= top), 1.0, 0.01) * dy

    return function(lambda x: x.clip(1, 300), slope)


@tf.custom_gradient
def leaking_tf(x):
    inside = tf.logical_and(x >= 1, x <= 300)
    return tf.clip_by_value(x, 1, 300), lambda dy: tf.where(inside, tf.ones_like(x), 0.01 * tf.ones_like(x)) * dy


@pytest.mark.parametrize("top", [300.0, float("inf")])
def test_lost_digits_claim_no_number_of_which_none_is_right(top):
    pair = Pair(torch=leaking(top), tf=leaking_tf, inputs=ANY, reference="tf")
    report = porting.check(pair, only=["value", "vjp", "special_values"], dtypes=["float64"])
    assert causes(report, "torch")[0] == "precision_loss", str(report)
    claims = [d for d in report.diagnoses if d.runner == "torch" and "special_values" in d.explains]
    if top == 300:
        assert claims[0].cause == "precision_loss", str(report)
    else:
        assert claims[0].cause == "wrong_branch", str(report)
        assert "x = 720" in claims[0].seen, str(report)


# A clip explains what differs for large cotangents alone.


def clipped(limit):
    return function(torch.sign, lambda dy, _: dy.clamp(-limit, limit))


@pytest.mark.parametrize("limit", [1.0, 1e-6])
def test_a_clip_does_not_explain_what_differs_for_small_cotangents_too(limit):
    report = porting.check(Pair(torch=clipped(limit), tf=tf.sign, inputs=ANY), only=["vjp", "linear"])
    named = {cause.cause for cause in report.diagnoses}
    assert ("not_linear" in named) == (limit < 1e-3), str(report)


def test_a_clip_of_a_gradient_that_is_right_below_it_is_named():
    @tf.custom_gradient
    def passing(x):
        return tf.sign(x), lambda dy: dy

    report = porting.check(Pair(torch=clipped(1.0), tf=passing, inputs=ANY), only=["vjp", "linear"])
    assert first_named(report) == "not_linear", str(report)


def first_named(report):
    return next(cause.cause for cause in report.diagnoses)


# A gradient that is that of its own forward has no axis of its forward wrong.

COLUMNS = {"x": porting.array(("n", "k"))}


def centred(forward, backward):
    return function(lambda x: x - x.mean(forward, keepdim=True), lambda dy, _: dy - dy.mean(backward, keepdim=True))


def named(forward, backward, reference=None):
    pair = Pair(
        torch=centred(forward, backward),
        tf=lambda x: x - tf.reduce_mean(x, forward, keepdims=True),
        inputs=COLUMNS,
        reference=reference,
    )
    report = porting.check(pair, only=["vjp", "adjoint", "value"])
    return {(cause.runner, cause.cause) for cause in report.diagnoses}


def test_the_side_that_is_the_derivative_of_its_own_forward_takes_no_other_axis():
    found = named(forward=0, backward=1)
    assert ("torch", "forward_gradient_disagree") in found
    assert ("tf", "wrong_axis") not in found


@pytest.mark.parametrize("reference", [None, "tf"])
def test_the_side_that_takes_another_axis_is_told_so(reference):
    assert ("torch", "wrong_axis") in named(1, 0, reference)


# What writes into its cotangent has lost no digits of its own by that.


class Overwriting(torch.autograd.Function):
    scale = 1 + 1e-8

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.tanh()

    @classmethod
    def backward(cls, ctx, dy):
        (x,) = ctx.saved_tensors
        return dy.mul_((1 - x.tanh() ** 2) * cls.scale)


def test_what_writes_into_its_cotangent_claims_no_lost_digits():
    pair = Pair(torch=Overwriting, tf=tf.tanh, inputs=ANY, reference="tf")
    report = porting.check(pair, only=["vjp", "inputs_unchanged", "special_values"], dtypes=["float64"])
    claims = {d.cause: set(d.explains) for d in report.diagnoses if d.runner == "torch"}
    assert claims["overwrites_cotangent"] == {"inputs_unchanged"}, str(report)
    assert "precision_loss" in claims, str(report)


# A wrong gradient is no reason for an exception of a compiler.


@tf.custom_gradient
def uncompiled(x):
    return tf.math.special.bessel_k0(tf.exp(x)), lambda dy: tf.ones_like(x)


def test_a_gradient_without_its_cotangent_claims_no_error_of_a_compiler():
    report = porting.check(Pair(tf=uncompiled, inputs=ANY), only=["xla"], dtypes=["float64"])
    assert "ignores_cotangent" not in causes(report, "tf"), str(report)
    assert "xla_unsupported" in causes(report, "tf"), str(report)


# With whom another side agrees is not said where the two are compared with each other.


def test_the_other_side_agrees_with_nobody():
    pair = Pair(torch=lambda x: x.float() * 1.0, tf=lambda x: tf.cast(x, tf.float32) * 1.5, inputs=SINGLE)
    report = porting.check(pair, only=["value"])
    assert report.exit_code == 1
    assert "agrees there" not in str(report)


# A gradient of a bias that is not summed says nothing of the numbers of another gradient, nor of its own.


EXACT = 0.1070322243012


def shifted(constant, columns):
    """Return a scaled sum, with this constant in its gradient, the bias's of the shape of `x`.

    With half of the columns the output has another shape than the gradient that is not summed.
    """

    def slope(dy, x, b):
        dx = torch.cat([dy, dy], -1) if dy.shape != x.shape else dy
        return dx * constant, dx * constant

    if columns == "all":
        return function(lambda x, b: (x + b) * EXACT, slope)
    return function(lambda x, b: ((x + b)[..., :4] + (x + b)[..., 4:]) * EXACT, slope)


def shifted_tf(columns):
    if columns == "all":
        return lambda x, b: (x + b) * EXACT
    return lambda x, b: ((x + b)[..., :4] + (x + b)[..., 4:]) * EXACT


BROADCAST = {"x": porting.array(("n", 8)), "b": porting.array((8,))}
SHAPES = {"dtypes": ["float64"], "only": ["vjp", "raw_gradient"]}


@pytest.mark.slow
@pytest.mark.parametrize("columns", ["all", "half"])
@pytest.mark.parametrize(("constant", "first"), [(0.1070322243, None), (EXACT, None), (2 * EXACT, "constant_factor")])
def test_what_is_not_summed_is_no_cause_of_wrong_digits(constant, first, columns):
    pair = Pair(torch=shifted(constant, columns), tf=shifted_tf(columns), inputs=BROADCAST)
    report = porting.check(pair, **SHAPES)
    wrong = {"vjp"} if constant != EXACT else set()
    assert {check for who, check in differing(report) if who == "torch"} == {"raw_gradient", *wrong}, str(report)
    mine = [d for d in report.diagnoses if d.runner == "torch"]
    assert next((d.cause for d in mine if "vjp" in d.explains and wrong), None) == first, str(report)
    if first is None:  # else the sum is wrong, too
        (told,) = [d for d in mine if d.cause == "missing_reduction"]
        assert told.of_input == ("b" if wrong else ""), str(report)


def times_tf(factor):
    @tf.custom_gradient
    def op(x, b):
        return x * b, lambda dy: (factor * dy * b, dy * x)

    return op


@pytest.mark.parametrize("only", [["vjp"], ["vjp", "raw_gradient"]])
@pytest.mark.parametrize("factor", [1.0, 2.0])
def test_what_is_not_summed_is_found_beside_another_mistake(factor, only):
    pair = Pair(torch=torch.mul, tf=times_tf(factor), inputs=BROADCAST, reference="torch")
    report = porting.check(pair, dtypes=["float64"], only=only)
    told = next(d for d in report.diagnoses if d.cause == "missing_reduction")
    assert told.explains == (tuple(sorted(only)) if factor == 1 else (only[-1],)), str(report)
    assert told.of_input == ("" if factor == 1 else "b")
    assert ("gradient of x is off too" in told.seen) is (factor == 2 and only == ["vjp"])


def test_rows_that_are_exchanged_are_no_other_axis():
    """The gradient of a permutation of rows is the inverse one."""
    order = torch.tensor([2, 0, 3, 1])
    back = torch.argsort(order).numpy()

    class Permuted(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.index_select(-2, order)

        @staticmethod
        def backward(ctx, dy):
            return dy.index_select(-2, order)

    @tf.custom_gradient
    def permuted(x):
        return tf.gather(x, order.numpy(), axis=-2), lambda dy: tf.gather(dy, back, axis=-2)

    pair = Pair(torch=Permuted, tf=permuted, inputs={"x": porting.array((4, 5))}, reference="tf")
    report = porting.check(pair, dtypes=["float64"], only=["vjp", "adjoint"])
    assert report.exit_code == 1, str(report)
    assert "wrong_axis" not in {d.cause for d in report.diagnoses}, str(report)


@pytest.mark.parametrize("surrogate", [True, False])
def test_a_gradient_is_derived_again_only_if_that_of_the_reference_is_derived(surrogate):
    class Rounded(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return torch.round(x) if surrogate else torch.sin(x)

        @staticmethod
        def backward(ctx, dy):
            (x,) = ctx.saved_tensors
            return dy * torch.tanh(x)

    @tf.custom_gradient
    def rounded(x):
        slope = tf.exp(-x * x) if surrogate else tf.cos(x)
        return tf.round(x) if surrogate else tf.sin(x), lambda dy: dy * slope

    pair = Pair(torch=Rounded, tf=rounded, inputs={"x": porting.array()}, reference="tf")
    report = porting.check(pair, dtypes=["float64"], only=["vjp", "adjoint"])
    meant = {d.meant for d in report.diagnoses if d.cause == "forward_gradient_disagree"}
    assert ("the derivative of the forward is" in meant) == surrogate, str(report)


def test_a_value_is_told_by_itself_beside_a_gradient_that_ignores_its_cotangent():
    """No fault of a backward makes another value, and a value that is wrong is not only listed."""

    class Loss(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return 1.01 * x.square() + 0.3 * x

        @staticmethod
        def backward(ctx, dy):
            (x,) = ctx.saved_tensors
            return 2 * x + 0.3 + 0 * dy

    report = porting.check(Pair(torch=Loss, like=lambda x: x.square() + 0.3 * x, inputs={"x": porting.array()}))
    (of_value,) = [part for part in str(report).split("Loss  torch") if "· y differs" in part.partition("\n")[0]]
    assert "not linear in the cotangent" not in of_value, str(report)
    assert "does not depend on the cotangent" not in of_value, str(report)
    assert "another function. (wrong_value" in of_value, str(report)
    assert {"ignores_cotangent", "wrong_value"} <= {d.cause for d in report.diagnoses}, str(report)
