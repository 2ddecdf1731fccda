"""A symmetric matrix that a function of one's own makes: of a gradient by it, only the symmetric part means anything.

Seen in a library of Gaussian processes, whose natural parameters are negative definite matrices.
"""

import pytest
from everyday import WIDEST, differing

import porting
from porting import Pair
from porting.numeric.kinds import kind_of

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")

MAKES = {
    "negative_definite": "-(x @ np.swapaxes(x, -1, -2) + np.eye(x.shape[-1]))",
    "triangle": "np.tril(x)",
    "diagonal": "x * np.eye(x.shape[-1])",
    "wants_batches": "x[:, :, :, 0] + x.swapaxes(1, 2)",
}


@pytest.fixture
def cases(tmp_path):
    path = tmp_path / "cases.py"
    text = "".join(f"\n\ndef {name}(x):\n    return {what}\n" for name, what in MAKES.items())
    path.write_text(f"import numpy as np\n{text}", encoding="utf-8")
    return path


def test_what_is_symmetric_is_seen(cases):
    assert [name for name in MAKES if kind_of(f"@{cases}:{name}").is_symmetric] == ["negative_definite"]


class Root(torch.autograd.Function):
    """The Cholesky factor, whose gradient is made symmetric; it is not differentiated again."""

    @staticmethod
    def forward(ctx, a):
        ctx.save_for_backward(a)
        return torch.linalg.cholesky(-a)

    @staticmethod
    def backward(ctx, dy):
        (a,) = ctx.saved_tensors
        with torch.enable_grad():
            at = a.clone().requires_grad_() if not a.requires_grad else a
            (da,) = torch.autograd.grad(torch.linalg.cholesky(-at), at, dy, create_graph=torch.is_grad_enabled())
        return da


def root(a):
    """The same, by the lower triangle."""
    lower = tf.linalg.band_part(a, -1, 0)
    half = lower - 0.5 * tf.linalg.diag(tf.linalg.diag_part(a))
    return tf.linalg.cholesky(-(half + tf.linalg.matrix_transpose(half)))


def test_who_reads_one_triangle_is_not_accused(cases):
    inputs = {"a": porting.array(("n", "n"), kind=f"@{cases}:negative_definite")}
    report = porting.check(Pair(torch=Root, tf=root, inputs=inputs), only=["value", "vjp", "second_order"], **WIDEST)
    assert not differing(report), str(report)
    assert {r.status for r in report.results} == {"agree"}
