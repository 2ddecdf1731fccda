"""What a maker makes stays as it was made; what is declared complex may have a complex gradient where numbers are real.

Seen in code of public repositories.
"""

import pytest
from everyday import WIDEST

import porting
from porting import Pair, array

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


class Kept(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, valid):
        if not valid.all():
            raise ValueError("all are valid here")
        return x * 2

    @staticmethod
    def backward(ctx, dy):
        return dy * 2, None


@tf.custom_gradient
def kept(x, valid):
    return x * 2, lambda dy: (dy * 2, None)


@pytest.mark.parametrize("length", [1, 4])
def test_a_mask_of_true_alone_that_was_made_so_stays(length, tmp_path, monkeypatch):
    (tmp_path / "cases.py").write_text("import numpy as np\n\n\ndef every(z):\n    return np.ones(z.shape, bool)\n")
    monkeypatch.chdir(tmp_path)
    valid = array((length,), dtype="bool", kind="@cases.py:every")
    pair = Pair(torch=Kept, tf=kept, inputs={"x": array((length,)), "valid": valid})
    report = porting.check(pair, **WIDEST, only=["value", "vjp", "adjoint"])
    assert report.counts["differ"] == 0, str(report)
    assert {r.status for r in report.results} == {"agree"}, str(report)


def squared(a):
    a = torch.complex(a, torch.zeros_like(a)) if not a.is_complex() else a
    return (a * a).abs()


@tf.custom_gradient
def squared_in_complex(a):
    z = tf.cast(a, tf.complex128)

    def grad(dy):
        return 2 * z * tf.cast(dy, z.dtype)  # of a complex type, whatever a has

    return tf.math.real(z * tf.math.conj(z)), grad


def test_a_complex_gradient_of_what_is_declared_complex_is_no_wrong_type():
    pair = Pair(torch=squared, tf=squared_in_complex, inputs={"a": array((3,), dtype="complex128")})
    report = porting.check(pair, **WIDEST, only=["vjp", "raw_gradient"])
    found = [f.code for r in report.results for f in r.findings]
    assert "dtype_differs" not in found, str(report)


def test_of_what_is_declared_real_it_is_one():
    pair = Pair(torch=squared, tf=squared_in_complex, inputs={"a": array((3,))})
    report = porting.check(pair, **WIDEST, only=["vjp", "raw_gradient"])
    found = [f.code for r in report.results for f in r.findings]
    assert "dtype_differs" in found or "raw_repaired" in found, str(report)
