"""What is said of inputs where nothing that was tried fits: no more than is known.

Seen in code of public repositories.
"""

import pytest
from everyday import described

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


class TooFew(torch.autograd.Function):
    @staticmethod
    def forward(ctx, v, w):
        return v * 1

    @staticmethod
    def backward(ctx, dy):
        return dy


def too_few(v):
    return TooFew.apply(v, 1.0)


def test_a_backward_that_always_raises_is_no_refusal_of_inputs():
    report = porting.check(Pair(torch=too_few, tf=lambda v: 1 * v), dtypes=["float64"], only=["vjp", "large"])
    notes = [r.note for r in report.results if r.status == "no verdict"]
    said = "every forward takes some of the inputs that were tried, and a backward raises for all of them"
    assert f"not tried: {said}" in notes, notes
    assert not any("say what the arguments are" in note or "a side refuses" in note for note in notes), notes


def test_an_example_is_called_an_example():
    def refusing(x, width):
        raise ValueError("something else is wanted")

    report, _ = described(Pair(torch=refusing, tf=refusing))
    notes = " ".join(r.note for r in report.results)
    assert "the shapes and numbers are examples, none is known to fit" in notes
