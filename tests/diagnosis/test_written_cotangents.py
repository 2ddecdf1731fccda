"""What a backward raises that writes into an expanded cotangent is of that, and not of the cotangent's strides."""

import pytest

import porting
from porting import Pair
from porting.diagnosis.cause import causes

torch = pytest.importorskip("torch")

ASKED = {"dtypes": ["float64"], "only": ["value", "vjp", "inputs_unchanged", "layouts"], "isolate": False}


class Scaled(torch.autograd.Function):
    """As in implicit layers: the cotangent is multiplied in place."""

    @staticmethod
    def forward(ctx, x):
        return 2 * x

    @staticmethod
    def backward(ctx, dy):
        dy *= 2
        return dy


class Viewed(Scaled):
    """It needs contiguous memory too."""

    @staticmethod
    def backward(ctx, dy):
        flat = dy.view(-1)
        flat *= 2
        return dy


class Flattened(Scaled):
    """It writes nothing."""

    @staticmethod
    def backward(ctx, dy):
        return 2 * dy.view(-1).view(dy.shape)


def named(side):
    report = porting.check(Pair(torch=side, inputs={"x": porting.array((4, 3))}), **ASKED)
    assert any(r.check == "layouts" and r.found for r in report.results), str(report)
    return {d.cause: set(d.explains) for d in report.diagnoses}


def test_it_is_the_writing():
    assert named(Scaled) == {"overwrites_cotangent": {"inputs_unchanged", "layouts"}}


@pytest.mark.parametrize("side", [Viewed, Flattened])
def test_strides_are_still_named_where_other_layouts_raise(side):
    assert "layout_dependent" in named(side)


def test_the_fix_for_some_inputs_speaks_of_frozen_parameters():
    w = torch.ones(3)
    x = torch.ones(3, requires_grad=True)
    with pytest.raises(RuntimeError, match="does not require grad"):
        torch.autograd.grad((x * w).sum(), [x, w])
    cause = causes()["wrong_slot"]
    assert "frozen" in cause.fixes["torch"]
    assert "raises" in cause.title
