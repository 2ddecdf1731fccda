"""A second derivative is asked so far within the bounds that somebody gave that its differences stay there too."""

import pytest
from everyday import differing

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


class Cubed(torch.autograd.Function):
    """As `bincount` does, it takes no number beyond its bounds."""

    @staticmethod
    def forward(ctx, x):
        if ((x < 0) | (x > 1)).any():
            raise RuntimeError("in [0, 1] only")
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return 3 * x * x * dy


def cubed_tf(constant):
    @tf.custom_gradient
    def cubed(x):
        slope = 3 * x * x
        return x**3, lambda dy: (tf.stop_gradient(slope) if constant else 3 * x * x) * dy

    return cubed


@pytest.mark.parametrize("constant", [False, True])
def test_differences_stay_where_a_side_is_defined(constant):
    inputs = {"x": porting.array(("n",), domain=(0.0, 1.0))}
    pair = Pair(torch=Cubed, tf=cubed_tf(constant), inputs=inputs, reference="torch")
    report = porting.check(pair, only=["second_order"], dtypes=["float64"])
    assert all(r.compared for r in report.results), str(report)
    assert differing(report) == ({("tf", "second_order")} if constant else set()), str(report)
