"""What differences, digits or a batch do not settle accuses nobody, and acquits nobody; a fault beside it is found.

Seen in code of public repositories.
"""

import pytest
from judged import first_cause

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from functions import function  # noqa: E402 - needs PyTorch

FINE = 1e-4  # the height of a step, finer than what differences take
ROWS = {"x": porting.array(("m", "n"))}


def quantised(factor, *, alone):
    """Return x in fine steps as another output of 2 x, or alone; the gradient is `factor` times the cotangent."""

    class Quantised(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            steps = torch.floor(x / FINE)
            return steps * FINE if alone else (x * 2, steps)

        @staticmethod
        def backward(ctx, dy, *others):
            return factor * dy

    return Quantised


def of_adjoint(pair, **options):
    (result,) = porting.check(pair, only=["adjoint"], dtypes=["float64"], **options).results
    return result.status


@pytest.mark.parametrize("seed", range(3))
def test_a_wrong_gradient_beside_an_output_of_fine_steps_is_found(seed):
    assert of_adjoint(Pair(torch=quantised(7, alone=False), inputs=ROWS), seed=seed) == "differ"


def test_an_output_of_steps_is_not_said_to_be_left_out():
    pair = Pair(torch=quantised(7, alone=False), inputs=ROWS)
    assert first_cause(pair, "torch", dtypes=["float64"], only=["adjoint"]) != "ignores_one_cotangent"


@pytest.mark.parametrize("seed", range(3))
def test_a_right_one_is_not_accused(seed):
    assert of_adjoint(Pair(torch=quantised(2, alone=False), inputs=ROWS), seed=seed) == "agree"


class Clamped(torch.autograd.Function):
    """Fine steps between bounds, whose gradients are left out: each step of differences has another slope."""

    @staticmethod
    def forward(ctx, x, low, high):
        step = (high - low) / 65535 + 1e-6
        return torch.clamp(torch.floor((x - low) / step), 0, 65535) * step + low

    @staticmethod
    def backward(ctx, dy):
        return dy, None, None


@pytest.mark.parametrize("seed", range(3))
def test_where_no_two_slopes_are_alike_there_is_no_agreement(seed):
    assert of_adjoint(Pair(torch=Clamped), seed=seed) in {"no verdict", "differ", "note"}


# Samples that meet on both sides.


class Rounded(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return torch.round(x * 3) / 3

    @staticmethod
    def backward(ctx, dy):
        return dy


@tf.custom_gradient
def rounded(x):
    return tf.round(x * 3) / 3, lambda dy: dy


def by_the_largest(x):
    limited = torch.tanh(x)
    return Rounded.apply((limited / limited.abs().max().detach() / 2 + 0.5).clamp(0, 1)) * 2 - 1


def through_the_largest(x):
    limited = tf.tanh(x)
    return rounded(tf.clip_by_value(limited / tf.reduce_max(tf.abs(limited)) / 2 + 0.5, 0.0, 1.0)) * 2 - 1


@pytest.mark.slow
def test_a_batch_that_meets_on_both_sides_is_no_fault_of_one():
    pair = Pair(torch=by_the_largest, tf=through_the_largest, reference="torch", inputs=ROWS)
    report = porting.check(pair, dtypes=["float64"])
    assert report.counts["differ"]
    assert "mixes_batch" not in {d.cause for d in report.diagnoses}


# A surrogate that is another one everywhere, of a side in float32; NaN in its own place.


class Spike(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (x > 0) * torch.div(x, 1.0, rounding_mode="trunc").float()

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * torch.exp(-2 * (x - 1) ** 2)


@tf.custom_gradient
def spike(x):
    y = tf.where(x > 0, tf.floor(x), tf.zeros_like(x))
    return y, lambda dy: dy * (1.15 * tf.exp(-2 * (x - 1) ** 2) - 0.15 * tf.exp(-((x - 1) ** 2) / 18))


@pytest.mark.slow
def test_what_is_wrong_everywhere_is_no_branch_and_a_nan_in_its_place_does_not_spread():
    report = porting.check(Pair(torch=Spike, tf=spike), dtypes=["float64"])
    assert report.counts["differ"]
    assert not {"wrong_branch", "nan_spreads"} & {d.cause for d in report.diagnoses}


# A gradient that is in proportion to its cotangent where it is a number.


class Squared(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, dy):
        return dy * dy.abs()


def test_what_grows_with_the_square_is_said_to_be_out_of_proportion():
    report = porting.check(Pair(torch=Squared, tf=tf.identity), only=["cotangent_sizes"])
    notes = {r.runner: r.note for r in report.results if r.dtype == "float64"}
    assert "is not in proportion to the cotangent" in notes["tf"]


# Both sides round in float32: one of them takes nothing else.

_ONE = tf.constant(1.0)


@tf.custom_gradient
def in_single(x, s):
    """exp(-x^2 / s^2 / 2) / Phi(x / s) by logarithms, which take each other away."""
    t = _ONE * x / s
    h = tf.exp(-0.5 * t * t - tf.math.log(tf.math.erfc(-t / 2**0.5) / 2))

    def grad(dy):
        slope = -h * (t + 0.7978845608 * h)
        return dy * slope / s, -dy * slope * t / s

    return h, grad


def mills(factor):
    class Mills(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, s):
            t = x / s
            h = torch.exp(-0.5 * t * t - torch.log(torch.special.erfc(-t / 2**0.5) / 2))
            ctx.save_for_backward(t, h, s)
            return h

        @staticmethod
        def backward(ctx, dy):
            t, h, s = ctx.saved_tensors
            slope = -factor * h * (t + 0.7978845608 * h)
            return dy * slope / s, -dy * slope * t / s

    return Mills


PARTS = {n: porting.array(("n",), dtype="float32", domain=(0.5, 3)) for n in ("x", "s")}


@pytest.mark.parametrize("seed", range(3))
def test_the_digits_that_both_lack_are_no_function_of_one(seed):
    asked = {"runners": ["torch"], "dtypes": ["float32"], "only": ["value", "vjp", "large"], "seed": seed}
    report = porting.check(Pair(torch=mills(1), tf=in_single, inputs=PARTS), **asked)
    assert not report.counts["differ"], str(report)
    report = porting.check(Pair(torch=mills(1.01), tf=in_single, inputs=PARTS), **asked)
    assert report.counts["differ"], str(report)


@tf.custom_gradient
def half_square(x):
    """sin(x / 2)^2 / 2, which keeps its digits near 0."""
    s = tf.sin(_ONE * x / 2)
    return s * s / 2, lambda dy: dy * tf.sin(_ONE * x) / 4


class OneMinusCosine(torch.autograd.Function):
    """The same as (1 - cos x) / 4, which has none."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (1 - torch.cos(x)) / 4

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return dy * torch.sin(x) / 4


def test_the_digits_that_one_side_alone_lacks_are_its_own():
    pair = Pair(
        torch=OneMinusCosine, tf=half_square, inputs={"x": porting.array(("n",), dtype="float32", domain=(0.02, 0.05))}
    )
    assert first_cause(pair, "torch", dtypes=["float32"], only=["value", "vjp"]) == "precision_loss"


class Ratio(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * x / x

    @staticmethod
    def backward(ctx, dy):
        return dy.clone()


@tf.custom_gradient
def same(x):
    return _ONE * x, tf.identity


def test_what_is_not_finite_beside_a_side_in_float32_is_told():
    report = porting.check(Pair(torch=Ratio, tf=same), runners=["torch"], dtypes=["float32"], only=["whole_range"])
    codes = {finding.code for result in report.results for finding in result.findings}
    assert codes == {"not_finite"}


# A variable of unknown shape.


class Kept(tf.Module):
    def __init__(self, factor=1.0):
        super().__init__()
        self.factor = factor
        self.scale = tf.Variable(1.0, trainable=False, shape=tf.TensorShape(None))

    def __call__(self, x):
        scale = tf.stop_gradient(tf.reduce_max(tf.abs(x), axis=0, keepdims=True))
        self.scale.assign(tf.cast(scale, self.scale.dtype))
        return self.factor * x * scale


def by_columns(x):
    return x * x.abs().amax(dim=0, keepdim=True).detach()


def test_a_variable_of_any_shape_is_copied_as_one():
    inputs = {"x": porting.array(("n", 4), dtype="float32")}
    report = porting.check(Pair(torch=by_columns, tf=Kept(), inputs=inputs), only=["value", "vjp"])
    assert not report.counts["differ"], str(report)
    assert report.counts["agree"]
    assert first_cause(Pair(torch=by_columns, tf=Kept(1.5), inputs=inputs), "tf", only=["value", "vjp"])


# A gradient with a term beside that of the cotangent loses the digits of that term for small cotangents, too.


def beside_a_term(factor):
    @tf.custom_gradient
    def twice(x):
        return 2 * _ONE * x, lambda dy: 0.0625 * factor * ((x + 64) - 64) + 2 * dy

    return twice


@pytest.mark.parametrize("seed", range(3))
def test_a_term_beside_that_of_the_cotangent_keeps_its_digits_for_small_cotangents(seed):
    side = function(lambda x: 2 * x.float(), lambda dy, x: 0.0625 * x + 2 * dy)
    asked = {"inputs": {"x": porting.array((4, 4), dtype="float32")}}
    for factor, differ in ((1, False), (1.01, True)):
        pair = Pair(torch=side, tf=beside_a_term(factor), **asked)
        report = porting.check(pair, only=["vjp", "cotangent_sizes"], seed=seed)
        assert bool(report.counts["differ"]) == differ, str(report)


# An iteration that does not converge has no digit that is the same on two sides; beside it all are compared.

_FAR = 10.0


class Iterated(torch.autograd.Function):
    factor = 1.0

    @staticmethod
    def forward(ctx, x):
        u = 0.5 + 0.4 * torch.sin(x)
        for _ in range(80):
            u = 3.9 * u * (1 - u)
        ctx.save_for_backward(x, u)
        return torch.where(x.abs() > _FAR, u, torch.sin(x))

    @classmethod
    def backward(cls, ctx, dy):
        x, u = ctx.saved_tensors
        return dy * torch.where(x.abs() > _FAR, u, cls.factor * torch.cos(x))


class FurtherIterated(Iterated):
    factor = 1.01


@tf.custom_gradient
def iterated(x):
    u = 0.5 + 0.4 * tf.sin(x)
    for _ in range(80):
        u = 3.9 * u - 3.9 * u * u
    return tf.where(tf.abs(x) > _FAR, u, tf.sin(x)), lambda dy: dy * tf.where(tf.abs(x) > _FAR, u, tf.cos(x))


@pytest.mark.parametrize(("one", "differs"), [(Iterated, False), (FurtherIterated, True)])
def test_elements_without_any_digit_are_told_and_the_others_compared(one, differs):
    report = porting.check(Pair(torch=one, tf=iterated), dtypes=["float64"], only=["value", "vjp", "cotangent_sizes"])
    assert bool(report.counts["differ"]) == differs, str(report)
    assert any("no result is unique there" in r.note for r in report.results)
    assert all(r.compared for r in report.results)


# A solver returns its last residual too, which is rounding; the gradient of its solution is compared all the same.


def _rounding(x, multiply):
    u = 0.5 + 0.4 * x / (1 + x * x)
    for _ in range(80):
        u = multiply(u)
    return u


def solver(factor):
    class Solver(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return torch.sin(x), _rounding(x, lambda u: 3.9 * u * (1 - u))

        @staticmethod
        def backward(ctx, dy, dr):
            return dy * factor * torch.cos(ctx.saved_tensors[0])

    return Solver


@tf.custom_gradient
def solver_tf(x):
    return (tf.sin(x), _rounding(x, lambda u: 3.9 * u - 3.9 * u * u)), lambda dy, dr: dy * tf.cos(x)


@pytest.mark.parametrize(("factor", "differs"), [(1.0, set()), (1.1, {"vjp"})])
def test_beside_an_output_without_digits_a_gradient_is_compared(factor, differs):
    pair = Pair(torch=solver(factor), tf=solver_tf, inputs={"x": porting.array((4, 5))}, reference="tf")
    report = porting.check(pair, dtypes=["float64"], only=["value", "vjp"])
    assert {r.check for r in report.results if r.status == "differ"} == differs, str(report)
