"""A convention at a kink, a wrong branch, and a few elements that are wrong are told apart.

Seen in code of public repositories.
"""

import math

import pytest
from everyday import ANY, CHECKS, causes, differing
from judged import accused, accused_by, first_cause

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from functions import function  # noqa: E402 - needs PyTorch


@pytest.mark.parametrize("knee", [0.5, 2.0, 3.0, 6.0])
def test_the_knee_of_a_hard_activation_is_tried(knee):
    class Hard(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x.clamp(-knee, knee)

        @staticmethod
        def backward(ctx, dy):
            (x,) = ctx.saved_tensors
            return dy * (x.abs() < knee)

    @tf.custom_gradient
    def hard(x):
        return tf.clip_by_value(x, -knee, knee), lambda dy: dy * tf.cast(tf.abs(x) <= knee, dy.dtype)

    found, report = accused(Pair(torch=Hard, tf=hard), only=["special_values"])
    assert found, str(report)
    assert {d.cause for d in report.diagnoses} <= {"kink_convention"}, str(report)


class Softplus(torch.autograd.Function):
    """Of the sign of x, which is 0 at 0, where the softplus is smooth."""

    @staticmethod
    def forward(ctx, x, beta):
        ctx.save_for_backward(x, beta)
        return torch.relu(x) + torch.log1p(torch.exp(-x.abs() * beta[:, None])) / beta[:, None]

    @staticmethod
    def backward(ctx, dy):
        x, beta = ctx.saved_tensors
        far = torch.exp(-x.abs() * beta[:, None])
        dbeta = -(x.abs() * far / (1 + far) + torch.log1p(far) / beta[:, None]) / beta[:, None]
        return dy * (torch.relu(x).sign() - x.sign() * far / (1 + far)), (dy * dbeta).sum(1)


def softplus(x, beta):
    return tf.nn.softplus(x * beta[:, None]) / beta[:, None]


@pytest.mark.slow
def test_where_nothing_bends_there_is_no_kink():
    inputs = {"x": porting.array(("c", "n")), "beta": porting.array(("c",), domain=(0.5, 3))}
    assert first_cause(Pair(torch=Softplus, tf=softplus, inputs=inputs, reference="tf"), "torch") == "wrong_branch"


class Quantise(torch.autograd.Function):
    """The cotangent is not cut where the number is clipped, at 7 scales."""

    @staticmethod
    def forward(ctx, x, scale):
        return torch.clamp(torch.round(x / scale), -8, 7) * scale

    @staticmethod
    def backward(ctx, dy):
        return dy, None


@tf.custom_gradient
def quantise(x, scale):
    inside = tf.cast((x / scale >= -8) & (x / scale <= 7), x.dtype)
    value = tf.clip_by_value(tf.round(x / scale), -8, 7) * scale
    return value, lambda dy: (dy * inside, tf.zeros_like(scale))


def test_an_edge_that_another_input_moves_is_a_branch():
    inputs = {"x": porting.array(("n",), domain=(-3, 3)), "scale": porting.array((1,), domain=(0.1, 0.5))}
    pair = Pair(torch=Quantise, tf=quantise, inputs=inputs, reference="tf")
    assert first_cause(pair, "torch", dtypes=["float64"]) == "wrong_branch"


# A clip has two edges, at an input by another one.


class Stepped(torch.autograd.Function):
    """Rounds to steps from -1 to 0.5, straight through, also where it is clipped if nothing is masked."""

    @staticmethod
    def forward(ctx, x, step, masked, by):
        ctx.save_for_backward(x, step)
        ctx.how = masked, by
        return (x / step).round().clamp(-1, 0.5) * step

    @staticmethod
    def backward(ctx, dy):
        x, step = ctx.saved_tensors
        masked, by = ctx.how
        q = x / step
        low, high = (q < -1).to(q.dtype), (q > 0.5).to(q.dtype)
        middle = 1 - low - high
        dstep = ((low * -1 + high * 0.5 + middle * (q.round() - q)) * dy).sum().unsqueeze(0)
        return dy * (middle if masked else 1) * by(x), dstep, None, None


@tf.custom_gradient
def stepped(x, step):
    q = x / step

    def grad(dy):
        low, high = tf.cast(q < -1.0, dy.dtype), tf.cast(q > 0.5, dy.dtype)
        middle = 1.0 - low - high
        dstep = tf.reduce_sum((low * -1.0 + high * 0.5 + middle * (tf.round(q) - q)) * dy)
        return middle * dy, tf.reshape(dstep, [1])

    return tf.clip_by_value(tf.round(q), -1.0, 0.5) * step, grad


@pytest.mark.parametrize(
    ("masked", "by", "branch"),
    [
        pytest.param(False, lambda x: 1, True, id="no mask"),
        pytest.param(False, lambda x: 1 + x * x, False, id="wrong between the edges too"),
    ],
)
@pytest.mark.slow
def test_two_edges_are_those_of_a_branch(masked, by, branch):
    pair = Pair(torch=lambda x, step: Stepped.apply(x, step, masked, by), tf=stepped, reference="tf")
    report = porting.check(pair, only=["value", "vjp", "large"], dtypes=["float64"])
    assert ("torch", "large") in differing(report), str(report)
    assert ("wrong_branch" in causes(report, "torch")) == branch, str(report)
    assert not branch or causes(report, "torch")[0] == "wrong_branch", str(report)


def test_shapes_are_guessed_in_which_a_gradient_has_that_of_its_input():
    pair = Pair(torch=lambda x, step: Stepped.apply(x, step, True, lambda x: 1), tf=stepped)
    guess = pair.guess()
    assert guess is not None
    assert [a.shape for a in guess.pair.inputs.values()] == [("n", "k"), (1,)]


# An error that grows evenly has no place where it starts, and no constant of float32 makes it.


def square_tf(x):
    return tf.square(x)


@pytest.mark.parametrize(("wrong", "named"), [(lambda x: 1 + 1e-7 * x, False), (lambda x: 1 + 1e-3 * (x < -100), True)])
def test_a_branch_is_named_where_the_error_has_a_start(wrong, named):
    side = function(torch.square, lambda dy, x: dy * 2 * x * wrong(x))
    pair = Pair(torch=side, tf=square_tf, inputs=ANY, name="square", reference="tf")
    found, report = accused_by(pair, dtypes=["float32"], only=["special_values"])
    assert ("torch", "special_values") in found
    assert ("wrong_branch" in causes(report, "torch")) == named


# What is wrong at one number stands under one cause, and what else is wrong under its own.


class AtZero(torch.autograd.Function):
    """Has slope 0 at 0, where it is 1/2; what it saves is changed in place, so that it has no second derivative."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.nn.functional.softplus(x)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        e = x.abs().neg_().exp_()
        dx = x.sign().neg_().mul_(e).div_(1 + e) + torch.relu(x).sign_()
        e.mul_(2)
        return dx * dy


def test_one_number_has_one_cause_and_a_second_derivative_another():
    pair = Pair(torch=AtZero, tf=tf.math.softplus, reference="tf")
    report = porting.check(pair, dtypes=["float64"], runners=["torch"])
    of = {d.cause: set(d.explains) for d in report.diagnoses}
    assert {"special_values", "coincidences"} <= of["wrong_branch"], str(report)
    for message in report.messages:
        assert ("second order" in message.splitlines()[0]) == ("(second_order_refused" in message), message


def test_no_branch_is_named_where_everyday_numbers_raise():
    def right(g, v):
        return g * v / torch.linalg.norm(v)

    only_scalars = function(right, lambda dy, g, v: ((dy * v).sum().reshape(g.shape) / v.norm(), dy * g / v.norm()))
    pair = Pair(torch=only_scalars, like=right, inputs={"g": porting.array(("n",)), "v": porting.array(("n",))})
    assert first_cause(pair, "torch", **CHECKS) == "raises_in_backward"


# Half of the elements are not a few.


def test_half_of_the_elements_are_not_a_few():
    class Half(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return torch.cat([x[..., :2], 3 * x[..., 2:]], -1)

        @staticmethod
        def backward(ctx, dy):
            return torch.cat([dy[..., :2], dy[..., 2:].flip(0)], -1)

    def plain(x):
        return tf.concat([x[..., :2], 3 * x[..., 2:]], -1)

    pair = Pair(torch=Half, tf=plain, inputs={"x": porting.array(("n", 4))}, reference="tf")
    report = porting.check(pair, only=["value", "vjp", "adjoint", "linear"])
    causes = [d.cause for d in report.diagnoses]
    assert causes, str(report)
    assert "few_elements" not in causes, str(report)


def test_numbers_of_one_row_are():
    class Row(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return 3 * x

        @staticmethod
        def backward(ctx, dy):
            return 3 * dy * torch.tensor([1.0, 1.0, 1.0, 0.5], dtype=dy.dtype)

    pair = Pair(torch=Row, tf=lambda x: 3 * x, inputs={"x": porting.array(("n", 4))}, reference="tf")
    report = porting.check(pair, only=["value", "vjp", "adjoint", "linear"])
    assert report.diagnoses[0].cause == "few_elements", str(report)


# What is rounded in units of the inputs' own mean lies on a tie at 0: the last digit of the mean decides.


def in_units(off=0.0):
    """Return a rounding to thirds of the mean size, which is taken in another order than the other side takes it."""

    def forward(w):
        unit = (w.abs() * (1 / w.numel())).sum() * 1.1
        return torch.round((w + unit + off) * (1.5 / unit)) * unit

    return function(forward, lambda dy, w: dy)


@tf.custom_gradient
def in_units_tf(w):
    unit = tf.reduce_sum(tf.abs(w)) / tf.cast(tf.size(w), w.dtype) * 1.1
    return tf.round((w + unit) / unit * 1.5) * unit, lambda dy: dy


@pytest.mark.parametrize(("off", "checks"), [(0.0, set()), (0.01, {"special_values"})])
def test_a_tie_that_the_last_digit_of_a_mean_decides_is_no_wrong_branch(off, checks):
    pair = Pair(torch=in_units(off), tf=in_units_tf, inputs={"w": porting.array((4, 3))})
    found, report = accused_by(pair, dtypes=["float64"], only=["special_values"], seed=4)
    assert {check for _, check in found} == checks, str(report)


# A series that is cut off is wrong from some number on, in every direction: its error grows out of nothing.


def cosine_by_a_series(x, about, terms=18):
    derivatives = [math.cos(about + k * math.pi / 2) / math.factorial(k) for k in range(terms)]
    return sum(c * (x - about) ** k for k, c in enumerate(derivatives))


def cosine_in_a_window(x):
    return torch.where((x > -0.7) & (x < 1.1), 1.0, 0.9) * x.cos()


@pytest.mark.parametrize("shape", [(...,), ("n",), ("n", "k")])
@pytest.mark.parametrize("about", [0.0, 0.4])
def test_an_error_that_grows_out_of_nothing_is_no_wrong_branch(shape, about):
    sine = function(torch.sin, lambda dy, x: dy * cosine_by_a_series(x, about))
    pair = Pair(torch=sine, tf=tf.sin, inputs={"x": porting.array(shape, domain=(-4.0, 4.0))}, reference="tf")
    found, report = accused(pair, dtypes=["float64"], only=["value", "vjp", "adjoint"])
    assert found == {"torch"}, str(report)
    assert "wrong_branch" not in causes(report, "torch"), str(report)


@pytest.mark.parametrize("shape", [(...,), ("n", "k")])
def test_an_error_that_starts_with_a_jump_is_a_wrong_branch(shape):
    sine = function(torch.sin, lambda dy, x: dy * cosine_in_a_window(x))
    pair = Pair(torch=sine, tf=tf.sin, inputs={"x": porting.array(shape, domain=(-4.0, 4.0))}, reference="tf")
    assert first_cause(pair, "torch", dtypes=["float64"], only=["value", "vjp", "adjoint"]) == "wrong_branch"


# Differences across a pole tell nothing of a slope: of 100,000 numbers some are next to 0.


def ratio(factor):
    class Ratio(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a, b):
            ctx.save_for_backward(a, b)
            return a / b

        @staticmethod
        def backward(ctx, dy):
            a, b = ctx.saved_tensors
            return dy / b, -factor * dy * a / b**2

    return Ratio.apply


@pytest.mark.parametrize("seed", range(3))
def test_a_pole_accuses_nobody(seed):
    inputs = {"a": porting.array(), "b": porting.array()}
    pair = Pair(torch=ratio(1.0), tf=tf.divide, inputs=inputs)
    report = porting.check(pair, seed=seed, only=["adjoint"], dtypes=["float64"])
    assert [r.status for r in report.results] == ["agree", "agree"], str(report)


def test_a_factor_beside_one_is_found():
    inputs = {"a": porting.array(), "b": porting.array()}
    report = porting.check(Pair(torch=ratio(1.5), inputs=inputs), only=["adjoint"], dtypes=["float64"])
    assert [r.status for r in report.results] == ["differ"], str(report)
