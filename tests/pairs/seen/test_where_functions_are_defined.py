"""Where a function is not defined nothing is said of it, and elsewhere it is compared.

Seen in code of public repositories.
"""

import pytest
from everyday import described, differing

import porting
from porting import Pair
from porting.parity.finding import Result
from porting.parity.report import Report
from porting.report.verdicts import legend

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


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


# Where a function is not defined, its gradient is NaN for a cotangent of 0 too.


@tf.custom_gradient
def scaled_log(x, y):
    return x * tf.math.log(y), lambda dy: (dy * tf.math.log(y), dy * x / y)


@tf.custom_gradient
def forgets(x, y):
    return x * tf.math.log(y), lambda dy: (tf.math.log(y), x / y)


@pytest.mark.parametrize(("other", "sides"), [(scaled_log, set()), (forgets, {"tf"})])
def test_nan_outside_the_domain_is_no_matter_of_linearity(other, sides):
    pair = Pair(torch=lambda x, y: x * torch.log(y), tf=other)
    report = porting.check(pair, only=["value", "vjp", "linear"])
    assert {runner for runner, check in differing(report) if check == "linear"} == sides, str(report)
    assert not {r.note for r in report.results if "torch" in r.note and "fault of its own" in r.note}, str(report)


def test_nan_where_the_function_is_defined_still_is():
    class Divided(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return 2 * x

        @staticmethod
        def backward(ctx, dy):
            return 2 * dy * dy / dy

    report = porting.check(Pair(torch=Divided, tf=lambda x: 2 * x), only=["value", "vjp", "linear"])
    assert ("torch", "linear") in differing(report), str(report)


class Arccosh(torch.autograd.Function):
    """Defined from 1 on: most numbers of a wide range are above that, and one below it is enough to hide all."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(z := torch.sqrt(x * x - 1))
        return torch.log(x + z)

    @staticmethod
    def backward(ctx, dy):
        (z,) = ctx.saved_tensors
        return dy / z


def test_a_domain_holds_at_its_ends():
    report = porting.check(Pair(torch=Arccosh, tf=tf.acosh), dtypes=["float64"], only=["adjoint", "second_order"])
    assert ("torch", "second_order") in differing(report), str(report)
    assert all("{1.1..10.0}" in r.note for r in report.results if r.check == "adjoint"), str(report)
    assert {r.status for r in report.results if r.check == "adjoint"} == {"agree"}


# NaN without a NaN being given.


def infinite_outside(x):
    return tf.where(x < 0, tf.constant(float("inf"), x.dtype), tf.math.log(tf.abs(x)))


def test_nan_outside_the_domain_is_no_matter_of_a_nan_that_is_given():
    report = porting.check(Pair(torch=torch.log, tf=infinite_outside), only=["nan_input", "nan_cotangent"])
    found = {f.code for r in report.results for f in r.findings}
    assert not found & {"nan_hidden", "nan_spreads"}, str(report)


def hides_nan(x):
    return tf.where(tf.math.is_nan(x), tf.zeros_like(x), tf.math.log(tf.abs(x)))


def test_a_nan_that_is_hidden_is_still_told():
    report = porting.check(Pair(torch=lambda x: torch.log(x.abs()), tf=hides_nan), only=["nan_input"])
    assert any(f.code == "nan_hidden" for r in report.results if r.runner == "tf" for f in r.findings), str(report)


# One check that cannot compare takes the verdict from nobody, and says why.


def log_sinh(x):
    return torch.log(torch.sinh(x))


def log_sinh_tf(x):
    return tf.math.log(tf.sinh(x))


def test_where_nothing_could_be_compared_it_is_where_the_sides_are_defined():
    checks = ["value", "vjp", "adjoint"]
    report = porting.check(Pair(torch=log_sinh, tf=log_sinh_tf), only=checks, dtypes=["float64"])
    assert report.counts["agree"] == 6, str(report)
    (note,) = {r.note for r in report.results if r.check == "adjoint"}
    assert "outputs are not finite" in note
    assert note.endswith('compared with --input "x=float64[...]{0.1..10.0}"')


def test_what_is_wrong_there_is_found_and_named():
    class Forgets(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, base):
            y = torch.pow(base, x)
            ctx.save_for_backward(y, base)
            return y

        @staticmethod
        def backward(ctx, dy):
            y, base = ctx.saved_tensors
            return y * torch.log(base), None

    @tf.custom_gradient
    def power(x, base):
        y = tf.pow(base, x)
        return y, lambda dy: (dy * y * tf.math.log(base), None)

    report = porting.check(Pair(torch=Forgets, tf=power), only=["value", "vjp", "adjoint", "linear"])
    first = next(d for d in report.diagnoses if d.runner == "torch")
    assert first.cause == "ignores_cotangent", str(report)


def test_why_nothing_could_be_compared_is_said_with_what_to_type():
    never = porting.check(Pair(torch=lambda x: torch.log(-torch.exp(x)), tf=lambda x: tf.math.log(-tf.exp(x))))
    (note,) = {r.note for r in never.results if (r.check, r.status) == ("adjoint", "no verdict")}
    assert "outputs are not finite" in note
    assert note.endswith('say where it is defined, as in --input "x=float64{LOW..HIGH}"')


def result(check, status):
    return Result("f", check, "torch", "cpu", "eager", "float64", 0, status)


@pytest.mark.parametrize(
    ("lost", "mark"), [(["adjoint"], "✓"), (["vjp"], "?"), (["adjoint", "finite", "linear", "large"], "?")]
)
def test_a_mark_is_that_of_what_was_compared(lost, mark):
    agree = [result(check, "agree") for check in ("value", "vjp", "shapes", "repeated") if check not in lost]
    report = Report((*agree, *(result(check, "no verdict") for check in lost)), pairs=("f",))
    assert legend(report).startswith(f"{mark} ")
    assert f"{len(lost)} no verdict" in report.summary


# What clips between two inputs is asked with the lower one below the upper one: beyond that frameworks differ.


class Clipped(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, x_min, x_max):
        ctx.save_for_backward(x, x_min, x_max)
        return torch.minimum(torch.maximum(x, x_min), x_max)

    @staticmethod
    def backward(ctx, dy):
        x, low, high = ctx.saved_tensors
        return dy * ((x > low) & (x < high)), dy * (x < low), dy * (x > high)


def clipped_tf(x, x_min, x_max):
    return tf.maximum(tf.minimum(x, x_max), x_min)


class Swapped(Clipped):
    @staticmethod
    def backward(ctx, dy):
        dx, below, above = Clipped.backward(ctx, dy)
        return dx, above, below


def test_a_lower_bound_is_drawn_below_the_upper_one():
    report, said = described(Pair(torch=Clipped, tf=clipped_tf))
    assert '--input "x_min=float64[...]{-2.0..-0.5}" --input "x_max=float64[...]{0.5..2.0}"' in said
    assert "x_min, x_max are bounds by their names" in said
    assert report.exit_code == 0, str(report)


def test_gradients_of_bounds_that_are_exchanged_are_found():
    report, _ = described(Pair(torch=Swapped, tf=clipped_tf, reference="tf"))
    assert {d.runner for d in report.diagnoses} == {"torch"}, str(report)


def test_one_bound_on_both_sides_is_positive():
    def torch_side(x, bound):
        return torch.minimum(torch.maximum(x, -bound), bound)

    def tf_side(x, bound):
        return tf.maximum(tf.minimum(x, bound), -bound)

    report, said = described(Pair(torch=torch_side, tf=tf_side))
    assert 'bound=float64[...]{0.5..2.0}"' in said
    assert report.exit_code == 0, str(report)


def test_bounds_that_have_no_finite_value_so_are_left_as_they_are():
    def ratio(low, high):
        return torch.log(torch.abs(low) + low + 1e-3) + high

    def ratio_tf(low, high):
        return tf.math.log(tf.abs(low) + low + 1e-3) + high

    def rooted(low, high):
        return torch.sqrt(low) + high

    assert "bounds" in described(Pair(torch=ratio, tf=ratio_tf))[1]
    assert "bounds" not in described(Pair(torch=rooted, tf=lambda low, high: tf.sqrt(low) + high))[1]
