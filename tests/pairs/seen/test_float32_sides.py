"""A side that computes in float32 is compared in the digits that it has; what is wrong beside them is found.

Seen in code of public repositories.
"""

import numpy as np
import pytest
from everyday import ANY, CHECKS_AND_INPUTS, EVERYDAY, FREE, causes, differing
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
@pytest.mark.slow
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


@pytest.mark.slow
def test_a_side_whose_output_is_float32_computes_in_float32():
    report = porting.check(Pair(torch=Rounded, tf=rounded, inputs={"x": porting.array(("n",))}))
    told = {r.note for r in report.results if "which it is compared with" in r.note}
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
@pytest.mark.slow
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


# A side that takes float32 only is asked in it, and a finding says so.


@tf.custom_gradient
def guarded(x):
    one = tf.constant(1.0)

    def grad(dy):
        return tf.where(tf.math.is_nan(dy), tf.zeros_like(dy), dy) * one

    return x * one, grad


def squared_and_divided(x):
    return x**2 / x


@pytest.mark.parametrize(
    ("side", "check", "code"),
    [(lambda x: 1 * x, "nan_cotangent", "nan_spreads"), (squared_and_divided, "whole_range", "not_finite")],
)
def test_a_finding_names_the_type_in_which_the_other_side_was_asked(side, check, code):
    pair = Pair(torch=side, tf=guarded, inputs={"x": porting.array(("n",), dtype="float32")})
    report = porting.check(pair, only=[check], runners=["torch"])
    found = [f for r in report.results for f in r.findings]
    assert {f.code for f in found} == {code}, str(report)
    assert all(f.fields["in_type"] == "float32" for f in found)
    assert all("TensorFlow in float32 has a number" in f.what for f in found), found[0].what


# Steps: in float32 some numbers lie on another side of one.


STAIRS = function(lambda x: torch.floor(x / 0.3) * 0.3, lambda dy, x: dy)
STEEPER = function(lambda x: torch.floor(x / 0.3) * 0.3, lambda dy, x: 2 * dy)


@tf.custom_gradient
def stairs_in_float32(x):
    single = tf.cast(x, tf.float32)
    return tf.floor(single / 0.3) * 0.3, lambda dy: tf.cast(dy, x.dtype)


def test_a_step_that_float32_takes_elsewhere_accuses_nobody_else():
    found, report = accused(Pair(torch=STAIRS, tf=stairs_in_float32))
    assert "torch" not in found, str(report)
    assert "tf" in found, str(report)


def test_a_wrong_gradient_beside_such_steps_is_found():
    found, report = accused_by(Pair(torch=STEEPER, tf=stairs_in_float32, reference="tf"))
    assert ("torch", "vjp") in found, str(report)


# Where all of a number is lost, as of a gradient that is 0, its digits are those of what it is computed from.


def softmax_in_float32(x):
    def backward(dy, x):
        s = torch.softmax(x, -1, dtype=torch.float32)
        dy = dy.float()
        return (s * (dy - (dy * s).sum(-1, keepdim=True))).to(x.dtype)

    return function(lambda x: torch.softmax(x, -1, dtype=torch.float32).to(x.dtype), backward)(x)


@tf.custom_gradient
def softmax_by_parts(x):
    s = tf.nn.softmax(tf.cast(x, tf.float32)) * 0.99999994  # as some processors round it

    def gradient(dy):
        dy = tf.cast(dy, tf.float32)
        return tf.cast(s * (dy - tf.reduce_sum(dy * s, -1, keepdims=True)), x.dtype)

    return tf.cast(s, x.dtype), gradient


def test_a_gradient_of_zero_has_the_digits_of_what_it_is_computed_from():
    asked = {"dtypes": ["float64"], "only": ["value", "vjp", "special_values", "shapes"]}
    found, report = accused(Pair(torch=softmax_in_float32, tf=softmax_by_parts), **asked)
    assert not found, str(report)


# Numbers that are seen as pairs of float32 by their memory: in float64 they are other numbers, and twice as many.


class ByPairs(torch.autograd.Function):
    """The product of complex numbers whose two parts stand in the last axis."""

    @staticmethod
    def forward(ctx, x, y):
        assert x.shape[-1] == y.shape[-1] == 2, "the last axis must have two"
        ctx.save_for_backward(x, y)
        a, b = (np.ascontiguousarray(v.detach().numpy()).view("complex64") for v in (x, y))
        return torch.from_numpy((a * b).view("float32"))

    @staticmethod
    def backward(ctx, dy):
        turn = torch.tensor([1.0, -1.0])
        x, y = ctx.saved_tensors
        return ByPairs.apply(dy, y * turn), ByPairs.apply(dy, x * turn)


def by_parts(factor=1.0):
    def product(x, y):
        return tf.stack(
            [x[..., 0] * y[..., 0] - x[..., 1] * y[..., 1], x[..., 0] * y[..., 1] + x[..., 1] * y[..., 0]], -1
        )

    @tf.custom_gradient
    def multiplied(x, y):
        def grad(dy):
            turn = tf.constant([1.0, -1.0], x.dtype)
            return product(dy, y * turn), factor * product(dy, x * turn)

        return product(x, y), grad

    return multiplied


@pytest.mark.parametrize("factor", [1.0, 2.0])
def test_pairs_of_float32_are_compared_as_such(factor):
    found, report = accused_by(Pair(torch=ByPairs, tf=by_parts(factor)), only=["value", "vjp", "special_values"])
    assert bool(found) == (factor != 1), str(report)
    assert ("tf", "value") not in found, str(report)
    agreed = {(r.runner, r.check) for r in report.results if r.status == "agree" and r.compared}
    assert ("tf", "value") in agreed, str(report)
    assert not [r.note for r in report.results if "broke off" in r.note], str(report)


# A step that float32 takes on both sides and float64 does not: 0.5 / (1 / 15) is 7.499999 or 7.5.

_WIDTH = 1.0 / 15.0


class FixedPoint(torch.autograd.Function):
    rounded = staticmethod(torch.round)

    @classmethod
    def forward(cls, ctx, x):
        ctx.save_for_backward(x)
        return cls.rounded(x.clamp(-1, 1) / _WIDTH) * _WIDTH

    @staticmethod
    def backward(ctx, dy):
        return (ctx.saved_tensors[0].abs() <= 1).float() * dy


class FixedPointBelow(FixedPoint):
    rounded = staticmethod(torch.floor)


INPUTS = {"x": porting.array(dtype="float32")}


@tf.custom_gradient
def fixed_point_quantize(x):
    y = tf.round(tf.clip_by_value(x, -1.0, 1.0) / _WIDTH) * _WIDTH
    return y, lambda dy: tf.cast(tf.abs(x) <= 1.0, tf.float32) * dy


@pytest.mark.parametrize("seed", [0, 7])  # in most others the tolerance has it
def test_a_step_that_both_sides_take_in_float32_is_no_difference(seed):
    for side, differs in ((FixedPoint, False), (FixedPointBelow, True)):
        pair = Pair(torch=side, tf=fixed_point_quantize, name="fixed_point_quantize", inputs=INPUTS)
        report = porting.check(pair, only=["value", "special_values"], seed=seed)
        assert bool(report.counts["differ"]) == differs, str(report)
