"""Two sides that compute in float32 inside: nobody is accused of the digits, and what is wrong beside them is found.

Seen in code of public repositories.
"""

from types import SimpleNamespace

import numpy as np
import pytest
from everyday import ANY, CHECKS, FREE, causes, differing
from judged import accused_by

import porting
from porting import Pair
from porting.parity.explaining import Explaining

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from functions import function  # noqa: E402 - needs PyTorch

# Two sides that compute in float32 inside, each in its own order.


def test_a_side_with_the_digits_of_float32_is_said_to_have_them():
    def mine(x):
        return (x.float().exp() * 3).to(x.dtype)

    def theirs(x):
        return tf.cast(tf.exp(tf.cast(x, tf.float32) / 3) ** 3 * 3, x.dtype)

    report = porting.check(Pair(torch=mine, tf=theirs, inputs=FREE), dtypes=["float64"], only=["value", "vjp"])
    said = {r.note for r in report.results if r.status == "no verdict"}
    assert said
    assert all("float32" in note for note in said), said


# Linearity is judged with the digits that the gradient is computed in.


def arctan_in_float32(extra=0.0):
    def backward(dy, x):
        short = dy.float()
        return (short / (1 + (2 * x.float()) ** 2) * (1 + extra * short.abs())).to(x.dtype) * (1 + x * x)

    return function(lambda x: (x >= 0).to(x.dtype), backward)


@tf.custom_gradient
def arctan_in_float32_tf(x):
    def backward(dy):
        short = tf.cast(x, tf.float32)
        return tf.cast(tf.cast(dy, tf.float32) / (1 + (2 * short) ** 2), x.dtype) * (1 + x * x)

    return tf.cast(x >= 0, x.dtype), backward


@pytest.mark.parametrize("seed", range(3))
def test_the_rounding_of_a_gradient_in_float32_is_no_nonlinearity(seed):
    pair = Pair(torch=arctan_in_float32(), tf=arctan_in_float32_tf, inputs=ANY)
    report = porting.check(pair, only=["linear"], strict=True, seed=seed)
    assert not differing(report), str(report)


def test_a_small_square_of_the_cotangent_in_float32_is_one_that_masks_nothing():
    pair = Pair(torch=arctan_in_float32(1e-7), tf=arctan_in_float32_tf, inputs=ANY)
    report = porting.check(pair, only=["linear"], strict=True)
    assert differing(report) == {("torch", "linear")}, str(report)
    assert not any(f.fields.get("masked") for r in report.results for f in r.findings), str(report)


# Outputs in float32 of inputs in float64: what is off by digits of float32 follows from the type, which is told.


def in_single(x, c, **how):
    class Scaled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, c):
            ctx.save_for_backward(x, c)
            return c * x * x

        @staticmethod
        def backward(ctx, dy):
            x, c = ctx.saved_tensors
            return 2 * dy * c * x * how.get("factor", 1), dy * (x * x * 3) / 3

    return Scaled.apply(x.float(), c.float())


def in_single_tf(x, c):
    @tf.custom_gradient
    def scaled(x, c):
        x, c = tf.cast(x, tf.float32), tf.cast(c, tf.float32)
        return c * x * x, lambda dy: (2 * dy * c * x, dy * x * x)

    return scaled(x, c)


@pytest.mark.slow
@pytest.mark.parametrize("reference", [None, "tf"])
def test_outputs_in_float32_of_both_sides_are_a_note_of_types(reference):
    pair = Pair(
        torch=in_single, tf=in_single_tf, inputs={"x": porting.array(), "c": porting.array()}, reference=reference
    )
    report = porting.check(pair, dtypes=["float64"])
    assert not differing(report), str(report)
    noted = [r for r in report.results if (r.check, r.status) == ("raw_gradient", "note")]
    assert {finding.code for r in noted for finding in r.findings} == {"dtype_differs"}, str(report)
    assert ("torch", "raw_gradient") in differing(porting.check(pair, dtypes=["float64"], strict=True))


def test_a_factor_beside_outputs_in_float32_is_found():
    def doubled(x, c):
        return in_single(x, c, factor=2)

    pair = Pair(torch=doubled, tf=in_single_tf, inputs={"x": porting.array(), "c": porting.array()}, reference="tf")
    report = porting.check(pair, only=["value", "vjp", "adjoint"])
    assert causes(report, "torch")[0] == "constant_factor", str(report)


@tf.custom_gradient
def stepped_tf(x):
    return tf.cast(x > 0, x.dtype), lambda dy: dy / (1 + tf.abs(x)) ** 2


@pytest.mark.parametrize("inside", [lambda x: x, lambda x: x.float().to(x.dtype)], ids=["none", "digits"])
def test_the_digits_of_a_cotangent_are_not_those_of_the_formula(inside):
    stepped = function(lambda x: (x > 0).float(), lambda dy, x: dy / (1 + inside(x).abs()) ** 2)
    pair = Pair(torch=stepped, tf=stepped_tf, inputs={"x": porting.array()}, name="stepped")
    report = porting.check(pair, dtypes=["float64"], only=["vjp", "raw_gradient"])
    assert causes(report, "torch")[0] == "wrong_dtype", str(report)
    (off,) = [f for r in report.results if (r.check, r.runner) == ("vjp", "torch") for f in r.findings]
    assert off.has(noisy="got")
    assert off.has(rounded=True) == (inside(torch.ones(1, dtype=torch.float64) / 3).item() == 1 / 3)


@pytest.mark.parametrize("factor", [2.0, 3.0])
def test_a_number_of_python_as_a_gradient_has_all_its_digits(factor):
    @tf.custom_gradient
    def twice(a):
        return 2.0 * a, lambda dy: float(dy) * factor

    found, report = accused_by(
        Pair(torch=lambda a: 2.0 * a, tf=twice, inputs={"a": porting.array(())}, reference="torch"),
        only=["value", "vjp", "raw_gradient"],
    )
    assert bool(found) == (factor != 2), str(report)


# Another order of terms, in another layout or for some inputs only, changes the last digits of float32.


def narrow(x, w):
    return torch.logsumexp(x.float() @ w.float(), -1).to(x.dtype)


def fused(off=1.0, read=lambda x: x):
    """Return the same, with a gradient for x alone that takes the terms in another order, and is `off` by a factor."""

    class Fused(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, w):
            ctx.save_for_backward(x, w)
            return narrow(x, w)

        @staticmethod
        def backward(ctx, dy):
            x, w = ctx.saved_tensors
            p = torch.softmax(read(x).float() @ w.float(), -1) * dy.float().unsqueeze(-1)
            if ctx.needs_input_grad[1]:
                return (p @ w.float().t()).to(x.dtype), (x.float().t() @ p).to(w.dtype)
            return off * (p.flip(-1).unsqueeze(-2) * w.float().flip(-1)).sum(-1).to(x.dtype), None

    return Fused


def read_as_contiguous(x):
    return torch.as_strided(x, x.shape, (x.shape[-1], 1))


@pytest.mark.parametrize(
    ("side", "checks"), [(fused(), set()), (fused(1.01), {"subsets"}), (fused(read=read_as_contiguous), {"layouts"})]
)
def test_another_order_of_terms_changes_the_last_digits_of_float32(side, checks):
    pair = Pair(torch=side, like=narrow, inputs={"x": porting.array(("n", "k")), "w": porting.array(("k", 9))})
    found, report = accused_by(pair, dtypes=["float64"], only=["layouts", "subsets"])
    assert {check for _, check in found} == checks, str(report)


# A backward that is wrong where the forward computes in float32: differences of it in steps of float64 show nothing.


def squares(x):
    return (x[1:] - x[:-1]).square().sum()


def squares_in_float32(off=1.0, factor=1.0, narrow=torch.float32):
    """Return the same, times a factor, with one of two terms of the gradient `off` by another one."""

    def backward(dy, x):
        d = 2 * factor * (x.float()[1:] - x.float()[:-1]) * dy.float()
        return (torch.nn.functional.pad(d, (1, 0)) - off * torch.nn.functional.pad(d, (0, 1))).to(x.dtype)

    return function(lambda x: (factor * squares(x.float())).to(narrow), backward)


@pytest.mark.parametrize("narrow", [torch.float32, torch.float64])
@pytest.mark.parametrize(("off", "factor", "cause"), [(1.01, 1.0, "forward_gradient_disagree"), (1, 2, "scaled_value")])
def test_a_wrong_backward_is_told_from_a_wrong_forward_in_float32(off, factor, cause, narrow):
    pair = Pair(torch=squares_in_float32(off, factor, narrow), like=squares, inputs=FREE)
    report = porting.check(pair, **CHECKS)
    assert causes(report, "torch")[:1] == [cause], str(report)


@pytest.mark.parametrize("narrow", [torch.float32, torch.float64])
def test_a_right_backward_in_float32_is_that_of_its_forward(narrow):
    pair = Pair(torch=squares_in_float32(narrow=narrow), like=squares, inputs=FREE)
    report = porting.check(pair, dtypes=["float64"], only=["adjoint", "vjp"])
    assert {(r.check, r.status) for r in report.results} == {("adjoint", "agree"), ("vjp", "differ")}, str(report)
    assert "forward_gradient_disagree" not in causes(report, "torch"), str(report)


@pytest.mark.parametrize(("factor", "verdict"), [(1 + 3e-6, "no verdict"), (1 + 1e-4, "differ")])
def test_two_sides_in_float32_are_no_measure_in_float64(factor, verdict):
    side = function(lambda x: x.float().exp(), lambda dy, x: (dy.float() * x.float().exp() * factor).to(x.dtype))
    pair = Pair(torch=side, like=lambda x: x.float().exp(), inputs=FREE)
    report = porting.check(pair, dtypes=["float64"], only=["vjp"])
    assert {r.status for r in report.results} == {verdict}, str(report)


# An entropy that both compute in float32 inside: where it is nearly 0, as of long sums, their digits cancel, in another
# order.


def entropy(factor=1.0):
    def value(h, w):
        z = (h @ w.T).float()
        p = torch.softmax(z, -1)
        y = (torch.logsumexp(z, -1) - (p * z).sum(-1)).to(h.dtype)
        return factor * y + (1 - factor) * y.detach()

    return value


def entropy_tf(h, w):
    z = tf.cast(tf.matmul(h, w, transpose_b=True), tf.float32)
    p = tf.nn.softmax(z, -1)
    return tf.cast(tf.reduce_logsumexp(z, -1) - tf.reduce_sum(p * z, -1), h.dtype)


@pytest.mark.parametrize(("factor", "told"), [(1.0, False), (1.01, True)])
def test_digits_that_both_lack_are_told_of_neither_in_a_large_array(factor, told):
    inputs = {"h": porting.array(("n", "k")), "w": porting.array((5, "k"))}
    report = porting.check(Pair(torch=entropy(factor), tf=entropy_tf, inputs=inputs), only=["value", "vjp", "large"])
    assert bool(report.counts["differ"]) == told, str(report)
    assert report.counts["agree"] or told, str(report)


# Where tanh is nearly 1 its derivative is a few roundings of float32, of which each library has others.


def steep(factor=1.0):
    def value(x):
        return torch.tanh(x.float()).to(x.dtype)

    def backward(dy, x):
        return (factor * dy.float() * (1 - torch.tanh(x.float()) ** 2)).to(dy.dtype)

    return function(value, backward)


@tf.custom_gradient
def steep_tf(x):
    y = tf.tanh(tf.cast(x, tf.float32))

    def backward(dy):
        return tf.cast(tf.cast(dy, tf.float32) * (1 - y * y), x.dtype)

    return tf.cast(y, x.dtype), backward


@pytest.mark.parametrize("seed", [0, 2, pytest.param(3, marks=pytest.mark.slow)])
@pytest.mark.parametrize("factor", [1.0, 1.01, 0.0])
def test_what_cancels_in_float32_is_told_of_neither(factor, seed):
    pair = Pair(torch=steep(factor), tf=steep_tf, inputs={"x": porting.array("n", domain=(-30, 30))})
    accused, report = accused_by(pair, seed=seed)
    assert bool(accused) == (factor != 1.0), str(report)
    assert report.counts["agree"]


def test_signs_of_cotangents_are_not_linear_in_float32_either():
    """Its parts are compared with each other, and with no other side."""
    signs = function(lambda x: 2 * x, lambda dy, x: 4097 * torch.sign(dy) + 0 * x)
    report = porting.check(Pair(torch=signs, tf=lambda x: 2 * x, inputs=ANY), dtypes=["float32"], only=["linear"])
    assert not any("broke off" in r.note for r in report.results), str(report)
    assert any(f.code == "not_linear" for r in report.results for f in r.findings), str(report)


def test_of_a_second_derivative_no_steps_are_looked_at():
    """Where one side ignores its cotangent there are zeros beside numbers of float32, and no input is called dy."""
    side = SimpleNamespace(op=SimpleNamespace(truth="tf", memory=None), runner=SimpleNamespace(key="torch"))
    fields = {"quantity": "second", "name": "dy", "truth": "TensorFlow"}
    got, want = np.array([np.float32(0.1), 0.3]).astype(np.float32).astype(np.float64), np.zeros(2)
    assert Explaining._noisy(side, fields, None, got, want, np.full(2, 1e-12)) == ""


def test_a_rounded_cotangent_is_named_by_its_type_where_gradients_alone_are_asked():
    """The command that repeats one check asks for no types."""
    stepped = function(lambda x: (x > 0).float(), lambda dy, x: dy / (1 + x.abs()) ** 2)
    report = porting.check(Pair(torch=stepped, tf=stepped_tf), only=["vjp"], dtypes=["float64"])
    assert causes(report, "torch") == ["wrong_dtype"], str(report)
    assert {d.meant for d in report.diagnoses} == {"an output in the type of its input is"}, str(report)


@pytest.mark.parametrize("early", [False, True])
def test_what_is_not_finite_in_float32_on_both_sides_is_told_of_neither(early):
    """Of 2x - 1 nothing is left but -1 in float32, where x is small; a side that is infinite alone is told."""

    class Quantile(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = torch.erfinv(2 * x - 1)
            ctx.save_for_backward(y)
            return y

        @staticmethod
        def backward(ctx, dy):
            (y,) = ctx.saved_tensors
            return dy * torch.exp(y * y)

    two = tf.constant(2.0)  # which refuses float64

    @tf.custom_gradient
    def quantile(x):
        y = tf.math.erfinv(two * x - 1)
        y = tf.where(x < 1e-3, -np.float32(np.inf), y) if early else y
        return y, lambda dy: dy * tf.exp(y * y)

    report = porting.check(Pair(torch=Quantile, tf=quantile), only=["whole_range"])
    told = [r for r in report.results if r.runner == "tf" and r.findings]
    assert bool(told) == early, str(report)
