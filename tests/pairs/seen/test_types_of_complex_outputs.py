"""A complex output of complex inputs has a type too; what is declared to be complex may be so of real numbers."""

import pytest
from everyday import causes
from judged import accused_by

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")

COMPLEX = {"inputs": {n: porting.array(("n",), dtype="complex128") for n in "xw"}}


def product(kind=None):
    class Product(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, w):
            ctx.save_for_backward(x, w)
            y = x * w
            return y.to(kind or (torch.complex64 if y.dtype in {torch.float32, torch.complex64} else torch.complex128))

        @staticmethod
        def backward(ctx, dy):
            x, w = ctx.saved_tensors
            dx, dw = dy * w.conj(), dy * x.conj()
            return dx if x.is_complex() else dx.real, dw if w.is_complex() else dw.real

    return Product


@tf.custom_gradient
def product_tf(x, w):
    return x * w, lambda dy: (dy * tf.math.conj(w), dy * tf.math.conj(x))


def test_a_side_that_makes_complex_numbers_of_real_ones_is_not_accused_where_complex_ones_are_declared():
    found, report = accused_by(Pair(torch=product(), tf=product_tf, **COMPLEX))
    assert not found, str(report)
    compared = {r.check for r in report.results if r.status == "agree" and r.compared}
    assert "complex_numbers" in compared, str(report)
    assert "its output is complex for real numbers" not in str(report)


def test_a_narrower_complex_output_is_named_by_its_type():
    found, report = accused_by(Pair(torch=product(torch.complex64), tf=product_tf, reference="tf", **COMPLEX))
    assert {side for side, _ in found} == {"torch"}, str(report)
    assert causes(report, "torch")[0] == "wrong_dtype", str(report)
    assert "y has dtype complex64, the inputs complex128" in str(report)


@pytest.mark.parametrize("kind", ["wrong", "right"])
def test_a_wrong_gradient_is_found_beside_it(kind):
    @tf.custom_gradient
    def twice(x, w):
        factor = 2 if kind == "wrong" else 1
        return x * w, lambda dy: (factor * dy * tf.math.conj(w), dy * tf.math.conj(x))

    found, report = accused_by(Pair(torch=product(), tf=twice, reference="torch", **COMPLEX))
    assert bool(found) == (kind == "wrong"), str(report)
