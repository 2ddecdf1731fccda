"""Where an input that gets no gradient is all that is wrong, a gradient that is no derivative is told as that."""

import pytest

import porting
from porting import Pair

torch = pytest.importorskip("torch")

ASKED = {"dtypes": ["float64"], "only": ["value", "vjp", "adjoint"], "isolate": False}


def masked(factor, rest):
    """Return a product whose backward has a factor, and this for its second input."""

    class Masked(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, mask):
            ctx.save_for_backward(mask)
            return x * mask

        @staticmethod
        def backward(ctx, dy):
            (mask,) = ctx.saved_tensors
            return factor * dy * mask, rest(dy)

    return Masked


def said(side):
    report = porting.check(Pair(torch=side), **ASKED)
    (finding,) = [f for r in report.results if r.check == "adjoint" for f in r.findings]
    assert finding.code == "not_its_derivative"
    return finding


@pytest.mark.parametrize("rest", [lambda _: None, torch.zeros_like], ids=["none", "zeros"])
def test_the_input_is_named_and_the_other_is_not_doubted(rest):
    finding = said(masked(1.0, rest))
    assert (finding.fields["silent"], finding.fields["others"]) == (("mask",), ("x",))
    assert finding.what.startswith("no gradient comes to mask")


def test_a_wrong_gradient_beside_it_is_told_as_before():
    finding = said(masked(2.0, lambda _: None))
    assert "silent" not in finding.fields
    assert "not the derivative" in finding.what
