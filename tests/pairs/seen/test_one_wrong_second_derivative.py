"""Second derivatives are asked about along one direction first: one wrong element shows there, and so do two."""

import pytest
from everyday import differing

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


class Slope(torch.autograd.Function):
    """The gradient of a cube, whose own derivative is off in some elements."""

    @staticmethod
    def forward(ctx, dy, x, off):
        ctx.save_for_backward(dy, x)
        ctx.off = off
        return 3 * x**2 * dy

    @staticmethod
    def backward(ctx, ddx):
        dy, x = ctx.saved_tensors
        by_x = 6 * x * dy * ddx
        flat = by_x.reshape(-1)
        for place, share in ctx.off.items():
            flat[place] += share * flat.abs().max()
        return 3 * x**2 * ddx, by_x, None


def cube(off):
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        def backward(ctx, dy):
            return Slope.apply(dy, ctx.saved_tensors[0], off)

    return Cube


@pytest.mark.parametrize("off", [{0: 1e-4}, {-1: 1e-4}, {0: 1e-3, 1: -1e-3}, {0: 1e-3, 1: 1e-3}, {}])
@pytest.mark.parametrize("seed", range(5))
def test_a_wrong_element_is_found_and_a_right_one_not(off, seed):
    pair = Pair(torch=cube(off), tf=lambda x: x**3, inputs={"x": porting.array(("n", 3))}, reference="tf")
    report = porting.check(pair, only=["vjp", "second_order"], dtypes=["float64"], seed=seed)
    assert differing(report) == ({("torch", "second_order")} if off else set()), str(report)
    assert all(r.compared for r in report.results if r.check == "second_order")
