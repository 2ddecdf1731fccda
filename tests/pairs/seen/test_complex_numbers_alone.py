"""Functions that take complex numbers only, and some in one type only.

Seen in code of public repositories.
"""

import numpy as np
import pytest
from everyday import causes, differing
from judged import accused

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


class MeanSquareError(torch.autograd.Function):
    @staticmethod
    def forward(ctx, z, c):
        ctx.save_for_backward(z, c)
        return torch.mean(torch.abs(z - c) ** 2)

    @staticmethod
    def backward(ctx, dy):
        z, c = ctx.saved_tensors
        return 2 * dy * (z - c) / z.numel(), 2 * dy * (c - z) / c.numel()


def mean_square_error(factor):
    @tf.custom_gradient
    def error(z, c):
        def grad(dy):
            scale = tf.cast(factor * dy, tf.complex64) / tf.cast(tf.size(z), tf.complex64)
            return scale * (z - c), scale * (c - z)

        return tf.reduce_mean(tf.abs(z - c) ** 2), grad

    return error


ASKED = {"only": ["value", "vjp", "adjoint", "complex_numbers", "linear", "raw_gradient"]}
NARROW = {n: porting.array(("n", "k"), dtype="complex64") for n in ("z", "c")}
WIDE = {n: porting.array(("n", "k"), dtype="complex128") for n in ("z", "c")}


@pytest.mark.slow
def test_a_backward_that_takes_complex_numbers_only_is_asked_with_these():
    report = porting.check(Pair(torch=MeanSquareError, tf=mean_square_error(2)), **ASKED)
    assert report.exit_code == 0, str(report)
    assert report.described[0].startswith("MeanSquareError(z complex64[...], c complex64[...])")
    assert 'the same is --input "z=complex64[...]" --input "c=complex64[...]"' in report.described[0]
    asked = {(r.runner, r.dtype): r.status for r in report.results if r.check == "complex_numbers"}
    assert {key for key, status in asked.items() if status == "agree"} == {("torch", "float32"), ("tf", "float32")}


def test_what_is_declared_complex64_is_asked_in_complex64():
    report = porting.check(Pair(torch=MeanSquareError, tf=mean_square_error(2), inputs=NARROW), **ASKED)
    assert report.exit_code == 0, str(report)
    assert report.described[0].startswith("MeanSquareError(z complex64[n, k], c complex64[n, k])")
    assert {r.dtype for r in report.results} == {"float32"}


@pytest.mark.parametrize("inputs", [{}, NARROW])
def test_a_wrong_gradient_of_complex_numbers_is_found(inputs):
    pair = Pair(torch=MeanSquareError, tf=mean_square_error(4), inputs=inputs, reference="torch")
    report = porting.check(pair, **ASKED)
    assert differing(report) == {("tf", "complex_numbers")}, str(report)


def test_what_is_declared_complex128_has_to_be_taken():
    report = porting.check(Pair(torch=MeanSquareError, tf=mean_square_error(2), inputs=WIDE), **ASKED)
    assert causes(report, "tf")[:1] == ["wrong_dtype"], str(report)


def test_a_truth_in_complex64_has_the_digits_of_it():
    pair = Pair(torch=MeanSquareError, tf=mean_square_error(2), inputs=NARROW)
    z = np.array([[1 + 2j]], "complex128")
    assert np.allclose(pair.on("torch").value(z, 0 * z), 5.0)


def of_complex_numbers(x):
    if not x.is_complex():
        raise TypeError("complex numbers are wanted")
    return torch.exp(x)


def of_complex_numbers_tf(x):
    if not x.dtype.is_complex:
        raise TypeError("complex numbers are wanted")
    return tf.exp(x)


@pytest.mark.parametrize("torch_side", [of_complex_numbers, torch.exp])
def test_what_is_not_compared_with_complex_numbers_is_said(torch_side):
    pair = Pair(torch=torch_side, tf=of_complex_numbers_tf, inputs={"x": porting.array(("n",), dtype="complex128")})
    report = porting.check(pair, only=["vjp", "linear", "large", "complex_numbers"], dtypes=["float64"])
    status = {(r.check, r.status) for r in report.results}
    assert ("complex_numbers", "agree") in status, str(report)
    undecided = [r.note for r in report.results if r.status == "no verdict"]
    assert undecided, str(report)
    assert all("complex numbers only" in note for note in undecided), undecided


def test_what_raises_for_complex_numbers_too_is_told_as_an_exception():
    def never(x):
        raise TypeError("no numbers at all")

    pair = Pair(torch=torch.exp, tf=never, inputs={"x": porting.array(("n",), dtype="complex128")})
    report = porting.check(pair, only=["vjp", "complex_numbers"], dtypes=["float64"])
    assert not any("complex numbers only" in r.note for r in report.results), str(report)


@pytest.mark.parametrize("reference", ["torch", None])
def test_a_side_that_raises_for_real_numbers_is_not_one_of_random_numbers(reference):
    """Half a gradient: found with a reference, too, although `repeated` asked it with real numbers."""

    @tf.custom_gradient
    def half(x):
        return tf.math.real(x) ** 2 + tf.math.imag(x) ** 2, lambda u: tf.complex(
            tf.math.real(x) * u, tf.math.imag(x) * u
        )

    pair = Pair(torch=lambda x: x.real**2 + x.imag**2, tf=half, reference=reference)
    found, report = accused(pair, dtypes=["float64"], only=["repeated", "complex_numbers"])
    assert "tf" in found, str(report)
    assert not any("each time" in r.note for r in report.results)
