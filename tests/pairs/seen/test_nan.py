"""NaN on one side or on both: who hides one, who spreads it, and what is no matter of it.

Seen in code of public repositories.
"""

import pytest
from everyday import ANY, causes, differing
from judged import accused, accused_by

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from functions import function  # noqa: E402 - needs PyTorch

ROWS = {"x": porting.array(("n", "m"))}


@pytest.mark.parametrize("hides", ["tf", "torch"])
def test_a_reference_that_hides_a_nan_accuses_nobody(hides):
    def plain(x):
        return x * 2.0

    def hard(x):
        return torch.where(torch.isnan(x), torch.zeros_like(x), x * 2.0)

    pair = Pair(
        torch=hard if hides == "torch" else plain,
        tf=(lambda x: tf.where(tf.math.is_nan(x), tf.zeros_like(x), x * 2.0)) if hides == "tf" else plain,
        reference="tf",
    )
    found, report = accused(pair, only=["nan_input"])
    assert found == (set() if hides == "tf" else {"torch"}), str(report)


def sum_of_segments(x):
    return torch.stack([x[:2].sum(0), x[2:].sum(0)])


def sum_by_matrix(x):
    rows = tf.stack([tf.concat([tf.ones(2, x.dtype), tf.zeros(2, x.dtype)], 0), tf.constant([0, 0, 1, 1], x.dtype)])
    return tf.matmul(rows, x)


def test_who_keeps_a_nan_where_it_is_hides_none():
    pair = Pair(torch=sum_of_segments, tf=sum_by_matrix, inputs={"x": porting.array((4, "n"))})
    report = porting.check(pair, dtypes=["float64"], only=["nan_input", "nan_cotangent"], strict=True)
    said = [f.what for r in report.results for f in r.findings]
    assert said
    assert not any("hides" in what for what in said), said
    assert {d.kind for d in report.diagnoses} <= {"disagreement"}, str(report)


def sparsemax(x):
    ordered = x.sort(-1, descending=True).values
    k = torch.arange(1, x.shape[-1] + 1, dtype=x.dtype)
    inside = 1 + k * ordered > ordered.cumsum(-1)
    count = inside.sum(-1, keepdim=True)
    tau = ((ordered * inside).sum(-1, keepdim=True) - 1) / count
    return function(
        lambda x, tau: (x - tau).clamp(min=0),
        lambda dy, x, tau: ((x > tau) * (dy - (dy * (x > tau)).sum(-1, keepdim=True) / (x > tau).sum(-1, True)), None),
    )(x, tau.detach())


@tf.custom_gradient
def sparsemax_tf(x):
    ordered = tf.sort(x, axis=-1, direction="DESCENDING")
    k = tf.range(1, tf.shape(x)[-1] + 1)
    inside = tf.cast(1 + tf.cast(k, x.dtype) * ordered > tf.cumsum(ordered, -1), x.dtype)
    tau = (tf.reduce_sum(ordered * inside, -1, keepdims=True) - 1) / tf.reduce_sum(inside, -1, keepdims=True)
    y = tf.nn.relu(x - tau)

    def grad(dy):
        there = tf.cast(x > tau, x.dtype)
        return there * (dy - tf.reduce_sum(dy * there, -1, keepdims=True) / tf.reduce_sum(there, -1, keepdims=True))

    return y, grad


def test_a_nan_that_one_side_keeps_in_its_row_is_a_note():
    report = porting.check(Pair(torch=sparsemax, tf=sparsemax_tf, inputs=ROWS), dtypes=["float64"], only=["nan_input"])
    assert report.exit_code == 0, str(report)
    assert {r.status for r in report.results} <= {"agree", "note"}


def test_a_gradient_that_is_nan_for_a_cotangent_of_zero_is_compared():
    class Normed(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, dy):
            return dy / dy.norm()

    @tf.custom_gradient
    def normed(x):
        return tf.identity(x), lambda dy: dy / tf.norm(dy)

    found, report = accused(Pair(torch=Normed, tf=normed), only=["value", "vjp"])
    assert not found, str(report)
    assert {r.status for r in report.results} == {"agree"}, str(report)


# A gradient that is infinite in float32.


EDGE = 1 - 1e-15  # 1 in float32, where the gradient is infinite


def slope(dy, x):
    return dy / (1 - x.clamp(-EDGE, EDGE) ** 2)


@tf.custom_gradient
def edge_tf(x):
    x = tf.clip_by_value(x, -EDGE, EDGE)
    return 0 * x, lambda dy: dy / (1 - x**2)


def test_what_both_do_in_float32_is_a_note_beside_a_nan_and_in_other_shapes_too():
    asked = {"only": ["value", "vjp", "nan_input", "shapes"]}
    pair = Pair(torch=function(lambda x: 0 * x, slope), tf=edge_tf, inputs=ANY)
    found, report = accused_by(pair, **asked)
    assert not found, str(report)
    noted = {r.check for r in report.results if r.status == "note"}
    assert noted >= {"vjp", "nan_input"}, str(report)


@tf.custom_gradient
def apart_tf(x):
    x = tf.clip_by_value(x, -EDGE, EDGE)
    return 0 * x, lambda dy: dy / tf.maximum(1 - x**2, 1e-15)


def test_what_one_side_does_in_float32_is_found_beside_a_nan():
    pair = Pair(torch=function(lambda x: 0 * x, slope), tf=apart_tf, inputs=ANY)
    found, report = accused_by(pair, dtypes=["float32"], only=["vjp", "nan_input"])
    assert ("torch", "nan_input") in found, str(report)


# The slope of |x| at 0: 0 times infinity as the root of a square, on both sides or on one.


def rooted(x):
    return torch.sqrt(x * x)


def rooted_tf(x):
    return tf.sqrt(x * x)


def test_a_nan_that_both_have_at_a_kink_is_a_note():
    found, report = accused_by(Pair(torch=rooted, tf=rooted_tf, inputs=ANY), only=["vjp", "finite", "special_values"])
    assert not found, str(report)
    noted = [r for r in report.results if (r.check, r.status) == ("finite", "note")]
    assert {r.runner for r in noted} == {"torch", "tf"}, str(report)
    assert all(f.fields["kink"] and "where the true one is" not in f.what for r in noted for f in r.findings)


def sinc(x):
    return torch.where(x == 0, torch.ones_like(x), torch.sin(x) / x)


def sinc_tf(x):
    return tf.where(x == 0, tf.ones_like(x), tf.sin(x) / x)


@pytest.mark.parametrize(("one", "other", "sides"), [(rooted, tf.abs, {"torch"}), (sinc, sinc_tf, {"torch", "tf"})])
def test_a_nan_of_one_side_or_where_the_forward_is_smooth_is_still_found(one, other, sides):
    found, report = accused_by(Pair(torch=one, tf=other, inputs=ANY), only=["vjp", "finite"])
    assert {runner for runner, check in found if check == "finite"} == sides, str(report)


# 0 / 0 in one gradient where another input is 0, which has none, or a finite one.


def divided(dy, x, s):
    return dy * s / s, None


def divided_by_both(dy, x, s):
    return dy * s / s, 0 * dy


@tf.custom_gradient
def first_of(x, s):
    return x * 1, lambda dy: (dy, None)


@pytest.mark.parametrize("slope", [divided, divided_by_both])
def test_the_gradient_that_is_not_finite_is_named_and_where_it_is_not(slope):
    inputs = {"x": porting.array(), "s": porting.array()}
    pair = Pair(torch=function(lambda x, s: x * 1 + 0 * s.detach(), slope), tf=first_of, inputs=inputs)
    found, report = accused_by(pair, dtypes=["float64"], only=["finite"])
    assert found == {("torch", "finite")}, str(report)
    named = [(f.fields["name"], f.fields["of_input"], f.fields["number"]) for r in report.results for f in r.findings]
    assert named == [("x", "s", 0.0)], str(report)


def test_a_gradient_of_the_number_itself_is_named_beside_the_other_one():
    quotient = function(lambda x, s: x * 1 + s, lambda dy, x, s: (dy * s / s, dy * s / s))
    report = porting.check(Pair(torch=quotient, tf=lambda x, s: x + s), dtypes=["float64"], only=["finite"])
    assert {(f.fields["name"], f.fields["of_input"]) for r in report.results for f in r.findings} == {
        ("x", "s"),
        ("s", "s"),
    }


# A NaN of the forward, whose gradient is a number.


def nan_at_zero(x):
    return function(lambda x: torch.where(x == 0, x / x, 2 * x), lambda dy, x: 2 * dy)(x)


def nan_slope_at_zero(x):
    return function(lambda x: 2 * x, lambda dy, x: 2 * dy * torch.where(x == 0, x / x, torch.ones_like(x)))(x)


@pytest.mark.parametrize(("side", "named"), [(nan_at_zero, False), (nan_slope_at_zero, True)])
def test_a_value_that_is_nan_is_no_gradient_that_is(side, named):
    report = porting.check(Pair(torch=side, tf=lambda x: 2 * x, inputs=ANY), only=["value", "vjp", "special_values"])
    assert ("torch", "special_values") in differing(report)
    assert ("zero_times_infinity" in causes(report, "torch")) == named, str(report)


# The plain version multiplies a NaN by a 0 that is no part of the formula: who does not visit it hides nothing.


turned = function(lambda x: x.flip(-1), lambda dy, x: dy.flip(-1))
turned_and_cleaned = function(lambda x: x.flip(-1), lambda dy, x: dy.flip(-1).nan_to_num())
turned_of_numbers = function(lambda x: x.nan_to_num().flip(-1), lambda dy, x: dy.flip(-1))
turned_of_positive = function(lambda x: torch.where(x > 0, x, 0.0).flip(-1), lambda dy, x: dy.flip(-1) * (x > 0))


def turned_by_matrix(x):
    return x @ torch.eye(x.shape[-1], dtype=x.dtype).flip(0)


def turned_of_positive_by_matrix(x):
    return turned_by_matrix(torch.relu(x))


@pytest.mark.parametrize(
    ("fused", "plain", "checks"),
    [
        (turned, turned_by_matrix, set()),
        (turned_and_cleaned, turned_by_matrix, {"nan_cotangent"}),
        (turned_of_numbers, turned_by_matrix, {"nan_input"}),
        (turned_of_positive, turned_of_positive_by_matrix, {"nan_input"}),
    ],
)
def test_a_nan_times_zero_of_the_plain_version_is_hidden_by_nobody(fused, plain, checks):
    pair = Pair(torch=fused, like=plain, inputs=ROWS)
    found, report = accused_by(pair, dtypes=["float64"], only=["nan_input", "nan_cotangent"])
    assert found == {("torch", check) for check in checks}, str(report)
    hidden = {f.code for r in report.results if r.status == "differ" for f in r.findings}
    assert ("nan_hidden" in hidden) == bool(checks), str(report)


# Where the function is not defined on any side, neither is its gradient: one side may have a number there.


def logarithm(below, value=lambda x: x.log()):
    """Return a logarithm with a gradient of its own below 0."""
    return function(value, lambda dy, x: dy * torch.where(x > 0, 1 / x, below))


@pytest.mark.parametrize(
    ("below", "value", "found"),
    [
        (0.0, lambda x: x.log(), False),
        (float("nan"), lambda x: x.log(), False),
        (0.0, lambda x: torch.where(x > 0, x, 1).log(), True),
        (float("nan"), lambda x: torch.where(x > 0, x, 1).log(), True),
    ],
)
def test_a_gradient_where_the_forward_is_nan_on_both_sides_is_not_judged(below, value, found):
    @tf.custom_gradient
    def other(x):
        y = tf.math.log(x if not found else tf.where(x > 0, x, 1))
        return y, lambda dy: dy * tf.where(x > 0, 1 / x, 5.0)

    accused_of, report = accused(Pair(torch=logarithm(below, value), tf=other, inputs=ANY), only=["value", "vjp"])
    assert bool(accused_of) is found, str(report)
    assert found or any(r.excused for r in report.results), "what is not judged is counted"
