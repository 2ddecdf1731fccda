"""A side that computes in float32 is compared in the digits that it has; what is wrong beside them is found.

Seen in code of public repositories.
"""

import pytest
from everyday import ANY, CHECKS, CHECKS_AND_INPUTS, EVERYDAY, FREE, causes, differing
from judged import accused, accused_by, first_cause

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from functions import function  # noqa: E402 - needs PyTorch

BOTH = {"dtypes": ["float32", "float64"], "only": EVERYDAY}
ONES = torch.eye(3)


class OfOneType(torch.autograd.Function):
    """Multiplies by a matrix of float32, and takes no other type."""

    @staticmethod
    def forward(ctx, x):
        return x @ ONES

    @staticmethod
    def backward(ctx, dy):
        return dy @ ONES.t()


@pytest.mark.parametrize("other", [None, lambda x: x @ tf.eye(3)])
def test_a_function_of_one_type_is_checked_in_it(other):
    found, report = accused(Pair(torch=OfOneType, tf=other, inputs={"x": porting.array((3, 3), dtype="float32")}))
    assert not found, str(report)
    assert report.exit_code == 0


# A measure that has fewer digits than what it measures.


SOFTPLUS = function(torch.nn.functional.softplus, lambda dy, x: dy * torch.sigmoid(x))


def softplus_in_float32(x):
    return torch.nn.functional.softplus(x.float())


def test_a_plain_version_in_float32_accuses_nobody_of_its_digits():
    report = porting.check(Pair(torch=SOFTPLUS, like=softplus_in_float32, inputs=ANY), **BOTH)
    assert report.exit_code == 0, str(report)
    assert any("computes in float32" in r.note for r in report.results if r.status == "no verdict")


STEEP = function(torch.nn.functional.softplus, lambda dy, x: dy * torch.sigmoid(x) * (1 + 0.01 * torch.tanh(x)))


def test_a_formula_that_is_one_per_cent_off_is_found_beside_it():
    found, report = accused_by(
        Pair(torch=STEEP, like=softplus_in_float32, inputs=ANY), dtypes=["float32", "float64"], only=EVERYDAY
    )
    assert found
    assert "precision_loss" not in causes(report, "torch"), str(report)


# Outputs in another type than the cotangent that they are sent.


def test_cotangents_that_an_output_in_float32_rounds_are_no_break_of_linearity():
    narrow = function(lambda x: torch.nn.functional.softplus(x).float(), lambda dy, x: dy * torch.sigmoid(x))
    report = porting.check(
        Pair(torch=narrow, like=softplus_in_float32, inputs=FREE), dtypes=["float64"], only=["linear"]
    )
    assert {r.status for r in report.results if r.runner == "torch"} == {"agree"}, str(report)


# A scale that is kept in float32: numbers of float64 with the digits of float32.


def scaled(dy, x):
    return dy * (1 - torch.tanh(x) ** 2) / torch.sqrt((x * x).sum() + 1).float()


NARROW_SCALE = function(torch.tanh, scaled)


def scaled_tf(factor=1.0):
    @tf.custom_gradient
    def op(x):
        y = tf.tanh(x)
        return y, lambda dy: factor * dy * (1 - y**2) / tf.sqrt(tf.reduce_sum(x * x) + 1)

    return op


def test_a_port_is_not_accused_of_the_digits_of_its_reference():
    found, report = accused_by(
        Pair(torch=NARROW_SCALE, tf=scaled_tf(), inputs=ANY, reference="torch"), **CHECKS_AND_INPUTS
    )
    assert not found, str(report)
    (result,) = [r for r in report.results if (r.runner, r.check) == ("tf", "vjp")]
    assert (result.status, "computes in float32" in result.note) == ("no verdict", True)


def test_a_port_that_is_one_per_cent_off_is_found_all_the_same():
    pair = Pair(torch=NARROW_SCALE, tf=scaled_tf(1.01), inputs=ANY, reference="torch")
    assert first_cause(pair, "tf", **CHECKS_AND_INPUTS) == "constant_factor"


def test_the_side_that_loses_the_digits_is_told_without_a_reference():
    found, report = accused_by(Pair(torch=NARROW_SCALE, tf=scaled_tf(), inputs=ANY), **CHECKS_AND_INPUTS)
    assert found == {("torch", "vjp"), ("torch", "special_values")}, str(report)
    assert causes(report, "torch")[0] == "precision_loss"
    (result,) = [r for r in report.results if (r.runner, r.check) == ("torch", "vjp")]
    assert result.findings[0].has(noisy="got")


# A layer that makes its weights in float32, whatever its own type is.


class Gain(torch.nn.Module):
    def __init__(self, factor=1.0):
        super().__init__()
        self.gain = torch.nn.Parameter(torch.ones(3))
        self.factor = factor

    def forward(self, x):
        return self.factor * self.gain * torch.sigmoid(x)


class NarrowGain(tf.keras.layers.Layer):
    def build(self, shape):
        self.gain = self.add_weight(shape=(shape[-1],), initializer="ones", dtype=tf.float32, name="gain")

    def call(self, x):
        return self.gain * tf.sigmoid(x)


@pytest.mark.parametrize(("factor", "sides"), [(1.0, set()), (1.01, {"torch", "tf"})])
@pytest.mark.parametrize("dtypes", [(), ("float32",)])
def test_weights_of_one_type_are_compared_in_it(factor, sides, dtypes):
    report = porting.check(Pair(torch=Gain(factor), tf=NarrowGain()), only=["vjp", "linear", "adjoint"], dtypes=dtypes)
    assert {runner for runner, check in differing(report) if check == "vjp"} == sides, str(report)
    assert not {check for _, check in differing(report)} - {"vjp"}, str(report)
    said = {r.note for r in report.results if r.status == "no verdict"}
    assert all("the weights of NarrowGain are float32 whatever its dtype is" in note for note in said), said
    assert not said or not dtypes


class Rounded(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        q = torch.softmax(x.float(), 0)
        ctx.save_for_backward(q)
        return -torch.log(q[0] + 1e-9)

    @staticmethod
    def backward(ctx, dy):
        (q,) = ctx.saved_tensors
        first = torch.zeros_like(q)
        first[0] = 1
        return dy * (q - first)


@tf.custom_gradient
def rounded(x):
    q = tf.nn.softmax(tf.cast(x, tf.float32), 0)
    first = tf.one_hot(0, tf.shape(x)[0])
    return -tf.math.log(q[0] + 1e-9), lambda dy: tf.cast(dy * (q - first), x.dtype)


def test_a_side_whose_output_is_float32_computes_in_float32():
    report = porting.check(Pair(torch=Rounded, tf=rounded, inputs={"x": porting.array(("n",))}))
    told = {r.note for r in report.results if "fault of its own" in r.note}
    assert told, str(report)
    assert not any("jump" in note for note in told), told


# What is declared in float32.


class Cubed(torch.autograd.Function):
    factor = 3.0

    @classmethod
    def forward(cls, ctx, x):
        ctx.save_for_backward(x)
        return x.float() ** 3

    @classmethod
    def backward(cls, ctx, dy):
        (x,) = ctx.saved_tensors
        return cls.factor * dy * x**2


class CubedWrongly(Cubed):
    factor = 3.3


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("domain", [None, (-1.0, 1.0)])
@pytest.mark.parametrize("side", [Cubed, CubedWrongly])
def test_what_is_declared_in_float32_is_compared_with_its_own_forward_there(side, domain, seed):
    described = {"x": porting.array(("n",), dtype="float32", domain=domain)}
    report = porting.check(Pair(torch=side, inputs=described), only=["adjoint"], seed=seed)
    (status,) = {r.status for r in report.results}
    assert status == ("agree" if side is Cubed else "differ"), str(report)


def test_a_surrogate_is_recognised_in_float32_too():
    def gradient(ctx, dy):
        return dy * (ctx.saved_tensors[0].abs() <= 1.5)

    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.sign(x)

    side = type(
        "Side", (torch.autograd.Function,), {"forward": staticmethod(forward), "backward": staticmethod(gradient)}
    )
    pair = Pair(torch=side, inputs={"x": porting.array(("n",), dtype="float32")})
    said = str(porting.check(pair, only=["adjoint"]))
    assert "--surrogate-of porting.surrogates:clipped --static limit=1.5" in said


# An iteration that waits for digits that float32 does not have.


ENDLESS = """
import torch


class Root(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.ones_like(x)
        while (y * y - x).abs().max() > 1e-13 * x.abs().max():
            y = (y + x / y) / 2
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        return FACTOR * dy / ctx.saved_tensors[0]
"""


@pytest.mark.parametrize("factor", [0.5, 1.0])
def test_what_does_not_come_back_in_float32_is_compared_in_float64(tmp_path, monkeypatch, factor):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "roots.py").write_text(ENDLESS.replace("FACTOR", str(factor)))
    pair = Pair(torch="roots.py:Root", inputs={"x": porting.array(("n",), domain=(1.0, 4.0))})
    asked = ["value", "vjp", "raw_gradient", "repeated", "adjoint"]
    report = porting.check(pair, only=asked, timeout=4, isolate=True)
    late = {(r.status, r.dtype) for r in report.results for f in r.findings if f.code == "process_ended"}
    assert late == {("differ", "float32")}, str(report)
    wide = {r.check: r.status for r in report.results if r.dtype == "float64"}
    assert wide["adjoint"] == ("agree" if factor == 0.5 else "differ"), str(report)
    assert not [r.note for r in report.results if r.dtype == "float64" and "not tried" in r.note], str(report)
    left = [r.note for r in report.results if r.dtype == "float32" and "did not come back in float32" in r.note]
    assert left, str(report)


# What repeats a result where the inputs were guessed.

BY_NAME = """
import torch

def dot(x):
    return torch.dot(x, x.float())

def twice(x):
    return 2 * torch.dot(x, x)
"""


BY_NAME_TF = """
import tensorflow as tf

def twice(x):
    return 2 * tf.reduce_sum(x * x)
"""


def test_what_repeats_a_guess_asks_for_no_type_that_a_side_refuses(tmp_path):
    (tmp_path / "dots.py").write_text(BY_NAME)
    (tmp_path / "dots_tf.py").write_text(BY_NAME_TF)
    pair = Pair(torch=f"{tmp_path}/dots.py:dot", tf=f"{tmp_path}/dots_tf.py:twice")
    report = porting.check(pair, only=["value"])
    assert ("torch", "value") in differing(report), str(report)
    targets = {r.target.partition("--input ")[2].strip("'") for r in report.results}
    assert targets == {"x=float32[n]"}, targets
    wide = porting.check(Pair(torch=f"{tmp_path}/dots.py:twice", tf=f"{tmp_path}/dots_tf.py:twice"), only=["value"])
    assert {r.target.partition("--input ")[2].strip("'") for r in wide.results} == {"x=float64[n]"}


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


# What to type for it has the names that its inputs have on a command line.


def of_a_list(inputs):
    nodes, adjacent = inputs
    return adjacent.float() @ nodes


def of_a_list_tf(inputs):
    nodes, adjacent = inputs
    return tf.matmul(adjacent, nodes)


def test_a_part_of_a_list_is_called_as_it_can_be_typed():
    report = porting.check(Pair(torch=of_a_list, tf=of_a_list_tf), only=["value", "vjp"])
    (note,) = {r.note for r in report.results if r.status == "no verdict"}
    assert 'to have that judged: --input "inputs.0=float64[' in note
    assert '--input "inputs.0=float32[' in report.described[0]


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


@pytest.mark.parametrize("reference", [None, "tf"])
def test_the_digits_of_outputs_in_float32_are_told_as_a_type(reference):
    pair = Pair(
        torch=in_single, tf=in_single_tf, inputs={"x": porting.array(), "c": porting.array()}, reference=reference
    )
    report = porting.check(pair, dtypes=["float64"])
    assert {check for _, check in differing(report)} == {"raw_gradient"}, str(report)
    assert all("(wrong_dtype, " in message for message in report.messages), str(report)


def test_a_factor_beside_outputs_in_float32_is_found():
    def doubled(x, c):
        return in_single(x, c, factor=2)

    pair = Pair(torch=doubled, tf=in_single_tf, inputs={"x": porting.array(), "c": porting.array()}, reference="tf")
    report = porting.check(pair, only=["value", "vjp", "adjoint"])
    assert causes(report, "torch")[0] == "constant_factor", str(report)


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
@pytest.mark.parametrize(("off", "factor", "cause"), [(1.01, 1.0, "forward_gradient_disagree"), (1, 2, "wrong_value")])
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
