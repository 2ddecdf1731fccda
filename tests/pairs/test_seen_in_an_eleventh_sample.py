"""What was said falsely of strangers' code the eleventh time; in its shape."""

import numpy as np
import pytest
from judged import accused_by

import porting
from porting import Pair
from porting.diagnosis.example import Example
from porting.pairs.parse import parse_input
from porting.runners import Case

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from functions import function  # noqa: E402 - needs PyTorch

ANY = {"x": porting.array()}
STEEP = dict([parse_input("x=float64{200..240}")])
WIDEST = {"dtypes": ["float64"]}

# A cotangent that is clipped at 0.1: with dy = 1 it looks like a tenth of the derivative of x.


CLIPPED = function(torch.sign, lambda dy, x: dy.clamp(-0.1, 0.1))


@tf.custom_gradient
def clipped_tf(x):
    return tf.sign(x), lambda dy: tf.clip_by_value(dy, -0.1, 0.1)


def surrogates(report):
    return {f.fields.get("surrogate") for r in report.results for f in r.findings if f.code == "not_its_derivative"}


def test_no_surrogate_is_read_into_a_clipped_cotangent():
    found, report = accused_by(Pair(torch=CLIPPED, tf=clipped_tf, inputs=ANY), **WIDEST, only=["adjoint", "linear"])
    assert not found
    assert surrogates(report) == {None}, str(report)


def test_a_surrogate_that_is_a_constant_is_still_named():
    tenth = function(torch.sign, lambda dy, x: 0.1 * dy)
    _, report = accused_by(Pair(torch=tenth, inputs=ANY), **WIDEST, only=["adjoint"])
    assert surrogates(report) == {"--surrogate-of porting.surrogates:scaled --static height=0.1"}


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


# What two solvers lose grows with the length of a matrix.


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("shape", ["n,n", "...,n,n"])
def test_the_rounding_of_two_solvers_is_no_difference(shape, seed):
    pair = Pair(
        torch=torch.linalg.eigvalsh, tf=tf.linalg.eigvalsh, inputs=dict([parse_input(f"x=float64[{shape}]{{spd}}")])
    )
    found, report = accused_by(pair, **WIDEST, only=["value", "vjp", "large"], seed=seed)
    assert not found, str(report)
    assert any(r.check == "large" and r.status == "agree" for r in report.results)


def test_a_fault_in_one_row_of_a_larger_matrix_is_seen():
    def last_row(x):
        y = torch.linalg.eigvalsh(x)
        return torch.cat([y[..., :40], y[..., 40:] * (1 + 1e-9)], -1)

    pair = Pair(
        torch=last_row, tf=tf.linalg.eigvalsh, inputs=dict([parse_input("x=float64[n,n]{spd}")]), reference="tf"
    )
    found, report = accused_by(pair, **WIDEST, only=["value", "large"])
    assert ("torch", "large") in found, str(report)


# The second derivative of |x| is a tensor of zeros without memory in PyTorch.


def test_zeros_without_memory_are_zeros():
    found, report = accused_by(Pair(torch=torch.abs, tf=tf.abs, inputs=ANY), **WIDEST, only=["vjp", "second_order"])
    assert not found, str(report)
    assert {r.status for r in report.results if r.check == "second_order"} == {"agree"}


# Whose backward raises gives the same value each time.


def raising(dy, x):
    raise ValueError("not written yet")


def test_a_value_is_compared_although_the_backward_raises():
    pair = Pair(torch=function(lambda x: 2 * x, raising), tf=lambda x: 2.001 * x, name="double", inputs=ANY)
    _, report = accused_by(pair, **WIDEST, only=["value", "vjp", "repeated"])
    (value,) = [r for r in report.results if (r.runner, r.check) == ("tf", "value")]
    assert value.status == "differ", str(report)
