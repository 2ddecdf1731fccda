"""What rounding may lose, of terms that cancel or in an iteration, accuses nobody; a fault beside it is found.

Seen in code of public repositories.
"""

import numpy as np
import pytest
from everyday import CHECKS, WIDEST
from judged import accused_by, first_cause

import porting
from porting import Pair
from porting.diagnosis.example import Example
from porting.pairs.parse import parse_input
from porting.runners import Case

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from functions import function  # noqa: E402 - needs PyTorch

ROWS = {"x": porting.array(("m", "n"))}
STEEP = dict([parse_input("x=float64{200..240}")])


@tf.custom_gradient
def softmax(x):
    y = tf.nn.softmax(x)
    return y, lambda dy: y * (dy - tf.reduce_sum(dy * y, -1, keepdims=True))


class NoGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return torch.softmax(x, -1)

    @staticmethod
    def backward(ctx, dy):
        return None


@pytest.mark.parametrize("seed", range(4))
def test_beside_a_missing_gradient_rounding_breaks_no_law(seed):
    found, report = accused_by(Pair(torch=NoGradient, tf=softmax, inputs=ROWS), only=["linear"], seed=seed)
    assert not found, str(report)


# Terms that take each other away.


class Causal(torch.autograd.Function):
    """Its gradient by the first query is 0 to the last bit; by autodiff of a softmax it is rounding times the keys."""

    @staticmethod
    def forward(ctx, q, k, v):
        s = torch.einsum("...qd,...kd->...qk", q, k) * q.shape[-1] ** -0.5
        s.masked_fill_(torch.triu(torch.ones(s.shape[-2:]), diagonal=1).bool(), float("-inf"))
        p = torch.softmax(s, -1)
        y = torch.einsum("...qk,...kd->...qd", p, v)
        ctx.save_for_backward(q, k, v, p, y)
        return y

    @staticmethod
    def backward(ctx, dy):
        q, k, v, p, y = ctx.saved_tensors
        scale = q.shape[-1] ** -0.5
        ds = p * (torch.einsum("...qd,...kd->...qk", dy, v) - (dy * y).sum(-1, keepdim=True))
        dq, dk = torch.einsum("...qk,...kd->...qd", ds, k) * scale, torch.einsum("...qk,...qd->...kd", ds, q) * scale
        return dq, dk, torch.einsum("...qk,...qd->...kd", p, dy)


def causal_tf(q, k, v):
    s = tf.matmul(q, k, transpose_b=True) * tf.cast(tf.shape(q)[-1], q.dtype) ** -0.5
    mask = tf.linalg.band_part(tf.ones_like(s, dtype=tf.bool), -1, 0)
    s = tf.where(mask, s, tf.constant(float("-inf"), s.dtype))
    return tf.matmul(tf.nn.softmax(s, axis=-1), v)


@pytest.mark.parametrize("seed", range(3))
def test_terms_that_cancel_are_as_large_as_the_inputs(seed):
    described = {x: porting.array(("b", "n" if x == "q" else "m", "d")) for x in "qkv"}
    pair = Pair(torch=Causal, tf=causal_tf, inputs=described)
    report = porting.check(pair, dtypes=["float32"], only=["special_values", "vjp"], seed=seed)
    assert report.exit_code == 0, str(report)


def test_a_term_that_is_one_per_cent_off_is_no_rounding():
    """Where the terms nearly take each other away, what is off is large beside the sum."""

    def backward(dy, x, w, u, v):
        z = x.flatten(0, 1).t() @ dy.flatten(0, 1)
        return dy @ w.t() + 1.01 * ((dy @ v.t()) @ u.t()), None, z @ v.t(), u.t() @ z

    low_rank = function(lambda x, w, u, v: x @ w + (x @ u) @ v, backward)
    shapes = {"x": ("b", "n", "i"), "w": ("i", "o"), "u": ("i", "r"), "v": ("r", "o")}

    def plain(x, w, u, v):
        return x @ w.detach() + (x @ u) @ v

    pair = Pair(torch=low_rank, like=plain, inputs={n: porting.array(shape) for n, shape in shapes.items()})
    assert first_cause(pair, "torch", **CHECKS) == "forward_gradient_disagree"


def test_terms_that_take_each_other_away_in_one_element_are_rounded():
    """A share of one is 1: its gradient is exactly 0, of terms far larger than those of many shares."""
    third = 1.0 / 3.0

    def softmax(x):
        return torch.softmax(x.flatten(), 0).reshape(x.shape)

    def backward(dy, x):
        terms = dy * softmax(x)
        return terms - ((terms * third).sum() / third) * softmax(x)

    pair = Pair(
        torch=function(softmax, backward),
        tf=lambda x: tf.reshape(tf.nn.softmax(tf.reshape(x, [-1])), tf.shape(x)),
        inputs={"x": porting.array(("n", "k", "m", "j"))},
    )
    for seed in range(6):
        report = porting.check(pair, dtypes=["float32"], only=["shapes"], seed=seed)
        assert report.exit_code == 0, str(report)


# Far out, 1 - sigmoid loses the same digits in both frameworks, each its own.


def steep(x):
    return x * torch.sigmoid(50 * (222.5 - x))


def steep_tf(x):
    return x * tf.sigmoid(50 * (222.5 - x))


def test_noise_is_not_called_float32():
    found, report = accused_by(
        Pair(torch=steep, tf=steep_tf, inputs=STEEP, name="f"), **WIDEST, only=["value", "vjp", "large"]
    )
    assert not found, str(report)
    notes = [r.note for r in report.results if r.status == "no verdict"]
    assert notes
    assert all("jump" in note and "float32" not in note for note in notes)


def rounded(x):
    return steep(x + (torch.round(x) - x).detach())


def rounded_tf(x):
    return steep_tf(x + tf.stop_gradient(tf.round(x) - x))


def test_last_digits_are_no_other_function():
    pair = Pair(torch=rounded, tf=rounded_tf, inputs=STEEP)
    report = porting.check(pair, **WIDEST, only=["value", "vjp", "adjoint", "large", "shapes"])
    assert "forward_gradient_disagree" not in {d.cause for d in report.diagnoses}, str(report)


@pytest.mark.parametrize(("off", "tiny"), [(1e-12, True), (1e-7, False), (float("nan"), False), (float("inf"), False)])
def test_only_what_rounding_may_lose_is_tiny(off, tiny):
    want = np.array([1.0, 2.0])
    case = Case(op=None, dtype="float64", inputs={"x": want})
    example = Example(case, {"x": want * (1 + off)}, {"x": want}, {"x": np.zeros(2)})
    assert example.tiny == tiny


# Thirty steps of Sinkhorn. They take most of a wrong first step away: what is left of it is no rounding.


COST = {"x": porting.array((3, 4), domain=(0.0, 1.0))}


def sinkhorn(x):
    f, g, eps = torch.zeros_like(x[:, 0]), torch.zeros_like(x[0]), 0.1
    for _ in range(30):
        g = g - eps * torch.logsumexp((f[:, None] + g - x) / eps, 0)
        f = f - eps * torch.logsumexp((f[:, None] + g - x) / eps, 1)
    return torch.exp((f[:, None] + g - x) / eps)


def sinkhorn_tf(first=None, off=0.0):
    def steps(x):
        f, g, later = tf.zeros_like(x[:, 0]), tf.zeros_like(x[0]), tf.constant(0.1, x.dtype)
        for k in range(30):
            eps = first(x) if first and not k else later
            g = g - eps * tf.reduce_logsumexp((f[:, None] + g - x) / eps, 0)
            f = f - eps * tf.reduce_logsumexp((f[:, None] + g - x) / eps, 1)
        return tf.exp((f[:, None] + g - x) / later) * (1 + off)

    return steps


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.slow
def test_a_right_iteration_is_not_accused(seed):
    pair = Pair(torch=sinkhorn, tf=sinkhorn_tf(), inputs=COST)
    found, report = accused_by(pair, **WIDEST, only=["value", "vjp"], seed=seed)
    assert not found, str(report)


@pytest.mark.parametrize("wrong", [{"off": 1e-4}, {"off": 1e-2}, {"first": lambda x: tf.constant(0.11, x.dtype)}])
@pytest.mark.slow
def test_a_wrong_iteration_is_found(wrong):
    pair = Pair(torch=sinkhorn, tf=sinkhorn_tf(**wrong), inputs=COST, reference="torch")
    found, report = accused_by(pair, **WIDEST, only=["value"])
    assert ("tf", "value") in found, str(report)


# A fused GELU: where x is large, 1 - tanh^2 cancels, and each library has a tanh of its own.


def slope(tanh, x):
    t = tanh(0.79788456 * x * (1 + 0.044715 * x * x))
    return 0.5 * x * ((1 - t * t) * (0.79788456 + 0.1070322243 * x * x)) + 0.5 * (1 + t)


def gelu(off=0.0):
    @tf.custom_gradient
    def f(x):
        t = tf.tanh(0.79788456 * x * (1 + 0.044715 * x * x))
        return x * 0.5 * (1.0 + t), lambda dy: slope(tf.tanh, x) * dy * (1 + off)

    return f


class Gelu(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 0.5 * (1.0 + torch.tanh(0.79788456 * x * (1 + 0.044715 * x * x)))

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return slope(torch.tanh, x) * dy


@pytest.mark.parametrize("seed", range(4))
def test_two_libraries_that_round_otherwise_are_not_accused(seed):
    pair = Pair(torch=Gelu, tf=gelu(), inputs={"x": porting.array()})
    asked = {**WIDEST, "only": ["value", "vjp", "special_values", "adjoint", "linear"]}
    found, report = accused_by(pair, **asked, seed=seed)
    assert not found, str(report)


@pytest.mark.parametrize("off", [1e-12, 1e-9, 1e-3])
def test_a_factor_beside_them_is_found(off):
    pair = Pair(torch=Gelu, tf=gelu(off), inputs={"x": porting.array()})
    found, report = accused_by(pair, **WIDEST, only=["value", "vjp"])
    assert ("tf", "vjp") in found, str(report)


# 1 - sigmoid(30) has three digits in float64: two sigmoids that differ by their last digit are a thousandth apart.


def focal(logits, labels, module, log):
    p = module.sigmoid(logits)
    true = labels * p + (1 - labels) * (1 - p)
    slope = 2 * (1 - true) * log(true) - (1 - true) ** 2 / true
    return -((1 - true) ** 2) * log(true), slope * (2 * labels - 1) * p * (1 - p)


def focal_of_torch(wrong):
    class Focal(torch.autograd.Function):
        @staticmethod
        def forward(ctx, logits, labels):
            ctx.save_for_backward(logits, labels)
            return focal(logits, labels, torch, torch.log)[0]

        @staticmethod
        def backward(ctx, dy):
            logits, labels = ctx.saved_tensors
            return dy * focal(logits, labels, torch, torch.log)[1] * (1 + wrong * (logits.abs() > 20)), None

    return Focal


def focal_of_tf(logits, labels):
    @tf.custom_gradient
    def f(logits, labels):
        y, slope = focal(logits, labels, tf, tf.math.log)
        return y, lambda dy: (dy * slope, None)

    return f(logits, labels)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("wrong", [0.0, 0.1])
def test_what_the_roundings_of_both_sides_explain_is_a_note(wrong, seed):
    pair = Pair(torch=focal_of_torch(wrong), tf=focal_of_tf)
    found, report = accused_by(pair, **WIDEST, only=["value", "vjp", "special_values"], seed=seed)
    assert (("torch", "special_values") in found) == bool(wrong), str(report)
    assert found <= {("torch", "special_values"), ("tf", "special_values")}, str(report)
