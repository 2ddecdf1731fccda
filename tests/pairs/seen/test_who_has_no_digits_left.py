"""Poles, roundings and regions: what both sides lose, and what draws of few elements do not see."""

import pytest
from everyday import ANY, ASKED, causes, differing
from judged import accused

import porting
from porting import Pair, array

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")

from porting.selftest.pairs.cancelling import Standardised, standardised  # noqa: E402 - where a framework is missing

CLOSE = "def close(x):\n    x[..., 1] = x[..., 0] * (1 + 0.02)\n    return x\n"
NARROW = {"dtypes": ["float32"], "only": ["value", "vjp", "shapes"]}


class Spike(torch.autograd.Function):
    """A surrogate that divides by the difference of two hyperbolic tangents."""

    @staticmethod
    def forward(ctx, x, b, c):
        ctx.save_for_backward(x)
        ctx.b, ctx.c = b, c
        return (x > 0).float()

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        b, c = ctx.b, ctx.c
        scale = 1 / (torch.tanh(b * (1 - c)) - torch.tanh(b * (-c)))
        return scale * b * (1 - torch.tanh(b * (x - c)) ** 2) * dy, None, None


@tf.custom_gradient
def spike(x, b, c):
    def grad(dy):
        dy = tf.cast(dy, x.dtype)
        scale = 1 / (tf.tanh(b * (1 - c)) - tf.tanh(b * (-c)))
        return scale * b * (1 - tf.tanh(b * (x - c)) ** 2) * dy, None, None

    return tf.cast(x > 0, tf.float32), grad


@pytest.mark.slow
def test_surrogates_that_divide_by_zero_at_one_number_may_do_so_at_others():
    """Where two tangents are equal is decided by their last digit: PyTorch's side had -0 where TensorFlow's had NaN."""
    found, report = accused(Pair(torch=Spike, tf=spike))
    assert not found, str(report)
    assert any(r.check == "vjp" and r.status == "note" for r in report.results)


def finite_spike(x, b, c):
    @tf.custom_gradient
    def inner(x):
        return tf.cast(x > 0, tf.float32), lambda dy: tf.cast(dy, x.dtype) * b * (1 - tf.tanh(b * (x - c)) ** 2)

    return inner(x)


@pytest.mark.slow
def test_one_that_divides_by_zero_alone_is_told():
    found, report = accused(Pair(torch=Spike, tf=finite_spike))
    assert found, str(report)


@pytest.fixture
def rows(tmp_path):
    """Rows of two numbers that are nearly equal."""
    (tmp_path / "own.py").write_text(CLOSE)
    return {"x": porting.array(("n", 2), kind=f"@{tmp_path / 'own.py'}:close")}


def test_a_formula_that_loses_as_many_digits_of_float32_on_both_sides_accuses_nobody(rows):
    """Of some draws more is lost than the tolerance has room for."""
    pair = Pair(torch=Standardised, tf=standardised, inputs=rows)
    reports = [porting.check(pair, **NARROW, seed=seed) for seed in range(8)]
    assert not any(map(differing, reports)), str(next(filter(differing, reports)))
    notes = [str(f) for report in reports for r in report.results if r.status == "note" for f in r.findings]
    assert notes
    assert all("is off by as much: both lose the digits" in note for note in notes)


class Larger(Standardised):
    @staticmethod
    def backward(ctx, dy):
        return 1.5 * Standardised.backward(ctx, dy)


def test_one_that_is_off_by_more_is_told(rows):
    report = porting.check(Pair(torch=Larger, tf=standardised, inputs=rows), **NARROW)
    assert ("torch", "vjp") in differing(report), str(report)


def test_a_threshold_of_a_softplus_is_noted():
    """PyTorch's softplus is its input from 20 on, where the logarithm has a digit in the ninth place."""
    report = porting.check(
        Pair(torch=torch.nn.functional.softplus, tf=tf.nn.softplus, inputs=ANY),
        only=["special_values"],
        runners=["torch"],
    )
    (told,) = [f for r in report.results if r.status == "note" for f in r.findings if f.has(quantity="value")]
    assert told.worst.at["x"] == 21


class RightForPositive(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.where(x > 0, x * x, x / 15)

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return torch.where(x > 0, 2 * x * dy, torch.zeros_like(dy))


@pytest.mark.parametrize("seed", range(4))
def test_a_region_is_not_missed_because_few_elements_are_drawn(seed):
    """One draw of two positive numbers took back what another draw had shown."""
    sides = Pair(torch=RightForPositive, inputs={"x": porting.array(("n",), domain=(-8.0, 8.0))})
    report = porting.check(sides, only=["adjoint"], seed=seed)
    assert differing(report) == {("torch", "adjoint")}, str(report)


def hinge(x):
    return torch.relu(1 - x)


@tf.custom_gradient
def hinge_with_a_slope_at_its_end(x):
    return tf.nn.relu(1 - x), lambda dy: tf.where(x <= 1, -dy, 0.0)


def test_a_kink_at_the_end_of_a_domain_is_no_place():
    """The ends of a domain are drawn first, so that what is wrong for one of them is wrong in one place."""
    ends = {"x": porting.array((2, 4, 5, 2), domain=(-1.0, 1.0))}
    report = porting.check(Pair(torch=hinge, tf=hinge_with_a_slope_at_its_end, inputs=ends), **ASKED)
    assert differing(report), str(report)
    assert "few_elements" not in {*causes(report, "torch"), *causes(report, "tf")}


def affine(x, w, b):
    return torch.relu(x @ w.T + b)


@tf.custom_gradient
def affine_without_its_mask(x, w, b):
    def grad(dy):
        return dy @ w, tf.transpose(dy) @ x, tf.reduce_sum(dy, 0)

    return tf.nn.relu(x @ tf.transpose(w) + b), grad


@pytest.mark.parametrize("seed", range(3))
def test_a_missing_mask_is_no_wrong_axis(seed):
    inputs = {"x": porting.array(("n", "k")), "w": porting.array(("m", "k")), "b": porting.array(("m",))}
    pair = Pair(torch=affine, tf=affine_without_its_mask, inputs=inputs, reference="torch")
    report = porting.check(pair, only=["value", "vjp", "adjoint"], seed=seed)
    assert differing(report), str(report)
    assert "wrong_axis" not in causes(report, "tf"), str(report)


class Entropy(torch.autograd.Function):
    """The entropy of a label and of a sigmoid, whose gradient is that of the formula without its 1e-9."""

    @staticmethod
    def forward(ctx, y, x):
        s = torch.sigmoid(x)
        ctx.save_for_backward(y, s)
        return -y * torch.log(s + 1e-9) - (1 - y) * torch.log(1 - s + 1e-9)

    @staticmethod
    def backward(ctx, dy):
        y, s = ctx.saved_tensors
        return torch.zeros_like(y), (s - y) * dy


@tf.custom_gradient
def entropy(y, x):
    s = tf.sigmoid(x)
    value = -y * tf.math.log(s + 1e-9) - (1 - y) * tf.math.log(1 - s + 1e-9)
    return value, lambda dy: (tf.zeros_like(y), (s - y) * dy)


def test_digits_that_both_lose_are_no_fault_of_either():
    inputs = {"y": array(), "x": array(domain=(-30.0, 30.0))}
    report = porting.check(Pair(torch=Entropy, tf=entropy, inputs=inputs), dtypes=["float64"])
    notes = [r.note for r in report.results if "which it is compared with" in r.note]
    assert notes, str(report)
    assert all("is no measure there: beside these inputs its numbers jump" in note for note in notes), notes
