"""Bounds whose names say nothing: which one wins where they are crossed, nobody means.

Seen in code of public repositories.
"""

import pytest
from everyday import causes, described, differing

from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")

# What is held between them says that they are bounds.


class Held(torch.autograd.Function):
    factor = 1.0
    turned = False

    @staticmethod
    def forward(ctx, x, a, b):
        ctx.save_for_backward(x, a, b)
        return torch.minimum(torch.maximum(x, a), b)

    @classmethod
    def backward(cls, ctx, dy):
        x, a, b = ctx.saved_tensors
        zero = torch.zeros_like(dy)
        below, above = torch.where(x <= a, dy, zero), torch.where(x >= b, dy, zero)
        dx = cls.factor * torch.where((x > a) & (x < b), dy, zero)
        return (dx, above, below) if cls.turned else (dx, below, above)


class Doubled(Held):
    factor = 2.0


class Turned(Held):
    turned = True


@tf.custom_gradient
def held_tf(x, a, b):
    def grad(dy):
        zero = tf.zeros_like(dy)
        return tf.where((x > a) & (x < b), dy, zero), tf.where(x <= a, dy, zero), tf.where(x >= b, dy, zero)

    return tf.maximum(tf.minimum(x, b), a), grad


def test_bounds_are_drawn_in_order_where_the_sides_differ_when_they_cross():
    report, said = described(Pair(torch=Held, tf=held_tf))
    assert "a < b: x is held between them, and the sides differ where they cross" in said
    assert '--input "a=float64[...]{-2.0..-0.5}" --input "b=float64[...]{0.5..2.0}"' in said
    assert report.exit_code == 0, str(report)


def test_so_are_those_of_the_frameworks_own_functions():
    def clamp(x, a, b):
        return torch.clamp(x, a, b)

    def clip(x, a, b):
        return tf.clip_by_value(x, a, b)

    report, said = described(Pair(torch=clamp, tf=clip))
    assert "a < b" in said
    assert report.exit_code == 0, str(report)


def test_the_upper_bound_may_come_first_and_the_data_last():
    def clamp(p, q, x):
        return torch.clamp(x, q, p)

    def clip(p, q, x):
        return tf.maximum(tf.minimum(x, p), q)

    report, said = described(Pair(torch=clamp, tf=clip))
    assert "q < p: x is held between them" in said
    assert report.exit_code == 0, str(report)


def test_bounds_may_be_one_number_each():
    def clamp(x, a, b):
        return torch.clamp(x, float(a), float(b))

    def clip(x, a, b):
        return tf.clip_by_value(x, float(a), float(b))

    report, said = described(Pair(torch=clamp, tf=clip), only=["value"])
    assert "a, b are numbers of Python in the source" in said
    assert "a < b" in said
    assert not differing(report), str(report)


@pytest.mark.slow
def test_what_is_scaled_away_while_it_is_one_number_is_not_held():
    def gated(x, w, z):  # a normalised gate: for one z in all places nothing but its sign is left of it
        y = x * z * torch.sigmoid(z)
        return w * y / torch.sqrt((y**2).mean() + 1e-6)

    def gated_tf(x, w, z):
        y = x * z * tf.sigmoid(z) * (1 + tf.maximum(x - w, tf.zeros_like(x)))
        return w * y / tf.sqrt(tf.reduce_mean(y**2) + 1e-6)

    _, said = described(Pair(torch=gated, tf=gated_tf), only=["value"])
    assert "is held between them" not in said, said


@pytest.mark.slow
def test_an_attention_that_picks_one_row_is_not_held_between_keys_and_values():
    def attention(q, k, v):
        w = torch.exp(16 * (q @ k.mT - 1))
        return (w @ v) / w.sum(-1, keepdim=True).clamp(min=1e-6)

    def attention_tf(q, k, v):
        w = tf.exp(16 * (tf.matmul(q, k, transpose_b=True) - 1))
        return tf.matmul(w, v) / (tf.reduce_sum(w, -1, keepdims=True) + 1e-6)

    _, said = described(Pair(torch=attention, tf=attention_tf), only=["value"])
    assert "is held between them" not in said, said


@pytest.mark.slow
def test_four_corners_are_in_order():
    def trapezoid(x, a, b, c, d):
        return torch.clamp(torch.minimum((x - a) / (b - a), (d - x) / (d - c)), 0.0, 1.0)

    def trapezoid_tf(x, a, b, c, d):
        flat = tf.where(x > c, (d - x) / (d - c), tf.ones_like(x))
        return tf.clip_by_value(tf.where(x < b, (x - a) / (b - a), flat), 0.0, 1.0)

    report, said = described(Pair(torch=trapezoid, tf=trapezoid_tf))
    assert "a < b < c < d: x is held between them" in said
    assert report.exit_code == 0, str(report)


# A fault beside it is found.


def test_a_wrong_factor_between_bounds_is_found():
    report, said = described(Pair(torch=Doubled, tf=held_tf, reference="tf"))
    assert "a < b" in said
    assert causes(report, "torch")[0] == "constant_factor", str(report)


def test_gradients_of_bounds_that_are_exchanged_are_found():
    report, said = described(Pair(torch=Turned, tf=held_tf, reference="tf"))
    assert "a < b" in said
    assert causes(report, "torch")[0] == "swapped_gradients", str(report)


def test_a_value_that_is_wrong_between_bounds_is_found():
    def raised(x, a, b):
        return tf.maximum(tf.minimum(x, b), a) + 0.01 * tf.cast(x > 0.3, x.dtype)

    report, _ = described(Pair(torch=Held, tf=raised))
    assert ("tf", "value") in differing(report), str(report)


class Quantile(torch.autograd.Function):
    @staticmethod
    def forward(ctx, guess, y, q):
        ctx.save_for_backward(guess, y, q)
        return torch.where(y > guess, q * (y - guess), (1 - q) * (guess - y))

    @staticmethod
    def backward(ctx, dy):
        guess, y, q = ctx.saved_tensors
        slope = torch.where(y > guess, -1.5 * q, 1 - q)
        return dy * slope, -dy * slope, dy * (y - guess)


def quantile_tf(guess, y, q):
    return tf.where(y > guess, q * (y - guess), (1 - q) * (guess - y))


@pytest.mark.slow
def test_a_gradient_that_is_wrong_beyond_the_data_is_not_guessed_away():
    report, said = described(Pair(torch=Quantile, tf=quantile_tf))
    assert "<" not in said
    assert ("torch", "vjp") in differing(report), str(report)


# Where nothing shows that they are bounds, nobody knows.


def chord(p, q):
    sloped = q / (q - p) * (q - p) + p
    return torch.where(p > 0, q, torch.where(q < 0, 0.5 * p, sloped))


def chord_tf(p, q):
    sloped = q / (q - p) * (q - p) + p
    return tf.where(q < 0, 0.5 * p, tf.where(p > 0, q, sloped))


def test_values_that_differ_in_one_order_alone_are_no_verdict_with_what_to_type():
    report, said = described(Pair(torch=chord, tf=chord_tf))
    assert "p < q: the sides agree so" in said
    assert not differing(report), str(report)
    assert report.exit_code == 5
    notes = [r.note for r in report.results if r.check == "value"]
    assert all('if both are: --input "p=float64[...]" --input "q=float64[...]"' in note for note in notes)


@pytest.mark.slow
def test_both_orders_are_compared_where_they_are_typed():
    from porting import array

    report, _ = described(Pair(torch=chord, tf=chord_tf, inputs={"p": array(), "q": array()}))
    assert ("torch", "value") in differing(report), str(report)


# A threshold that is meant to be above 0 restricts nothing else.


def ternary(factor):
    class Ternary(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x: torch.Tensor, threshold: torch.Tensor):
            y = torch.zeros_like(x)
            y[x > threshold] = 1.0
            y[x < -threshold] = -1.0  # both, where the threshold is below 0
            return y

        @staticmethod
        def backward(ctx, dy):
            return factor * dy, None

    return Ternary


@tf.custom_gradient
def ternary_tf(x, threshold):
    return tf.cast(x > threshold, x.dtype) - tf.cast(x < -threshold, x.dtype), lambda dy: (dy, None)


def test_a_threshold_above_zero_is_asked_before_an_order():
    report, said = described(Pair(torch=ternary(1.0), tf=ternary_tf))
    assert "threshold above 0: the sides agree so" in said
    assert not differing(report), str(report)
    assert any('--input "threshold=float64[...]{0.1..10.0}"' in r.note for r in report.results if r.check == "value")


def test_a_wrong_factor_beside_a_threshold_is_found():
    report, _ = described(Pair(torch=ternary(2.0), tf=ternary_tf))
    assert ("torch", "vjp") in differing(report), str(report)


# Numbers of Python that are equal leave nothing between them.


@pytest.mark.parametrize("factor", [1.0, 2.0])
def test_bounds_of_python_are_not_equal(factor):
    def clamp(x, a: float, b: float):
        return torch.clamp(x, a, b)

    @tf.custom_gradient
    def clip(x, a: float, b: float):
        return tf.clip_by_value(x, a, b), lambda dy: (
            factor * tf.where((x > a) & (x < b), dy, tf.zeros_like(dy)),
            None,
            None,
        )

    def clip_as_called(x, a: float, b: float):
        return clip(x, a, b)

    report, said = described(Pair(torch=clamp, tf=clip_as_called))
    assert "a=-1.0, b=1.0" in said
    assert bool(differing(report)) is (factor != 1), str(report)


# A step has two values, whatever it is a step of: nothing is held between its other inputs.

STEP_TORCH = """
import torch


class Step(torch.autograd.Function):
    @staticmethod
    def forward(ctx, mean, logvar, eps):
        ctx.save_for_backward(mean, logvar, eps)
        return (torch.sign(eps * logvar + mean) + 1) / 2

    @staticmethod
    def backward(ctx, dy):
        mean, logvar, eps = ctx.saved_tensors
        return torch.exp(-mean**2) * dy, torch.exp(-logvar**2) * eps * dy, dy
"""
STEP_TF = """
import tensorflow as tf


@tf.custom_gradient
def step(mean, logvar, eps):
    def grad(dy):
        return tf.exp(-mean**2) * dy, tf.exp(-logvar**2) * eps * dy, dy

    return (tf.sign(eps * logvar + mean) + 1) / 2, grad
"""


def test_a_step_holds_nothing_between_its_inputs(tmp_path):
    (tmp_path / "step_torch.py").write_text(STEP_TORCH)
    (tmp_path / "step_tf.py").write_text(STEP_TF)
    guess = Pair(torch=f"{tmp_path}/step_torch.py:Step", tf=f"{tmp_path}/step_tf.py:step").guess()
    assert "is held between" not in str(guess)


class Reversed(torch.autograd.Function):
    """The cotangent is held between a number and its negative: that the number is above 0 nobody says."""

    factor = -1.0

    @staticmethod
    def forward(ctx, x, c):
        ctx.c = c
        return x.view_as(x)

    @classmethod
    def backward(cls, ctx, dy):
        return cls.factor * dy.clamp(-ctx.c, ctx.c), None


class Forward(Reversed):
    factor = 1.0


@tf.custom_gradient
def reversed_tf(x, c):
    return tf.identity(x), lambda dy: (-tf.clip_by_value(dy, -c, c), None)


def test_what_is_held_between_a_number_and_its_negative_has_one_above_0():
    report, said = described(Pair(torch=Reversed, tf=reversed_tf))
    assert "c is a bound in the source" in said
    assert report.counts["differ"] == 0, str(report)


def test_a_fault_beside_it_is_found():
    report, _ = described(Pair(torch=Forward, tf=reversed_tf), only=["value", "vjp"])
    assert ("torch", "vjp") in differing(report)
    assert "wrong_sign" in causes(report, "torch")
