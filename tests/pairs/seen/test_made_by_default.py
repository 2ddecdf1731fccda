"""What a function that makes a side is called with is told, where nobody said it: of None nothing may be compared.

Seen in code of public repositories.
"""

import pytest
from everyday import WIDEST

import porting
from porting import Pair
from porting.errors import PortingError

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


def scaling(forward=None, backward=None):
    def operation(x):
        class Scaled(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x * (forward or 1)

            @staticmethod
            def backward(ctx, dy):
                return dy * (backward or 1)

        return Scaled.apply(x)

    return operation


def scaling_tf(forward=None, backward=None):
    @tf.custom_gradient
    def operation(x):
        return x * (forward or 1), lambda dy: dy * (backward or 1)

    return operation


@pytest.mark.parametrize(
    ("statics", "told"), [({}, "forward=None, backward=None"), ({"forward": 2.0}, "backward=None"), (None, "")]
)
def test_it_is_told(statics, told):
    given = {"forward": 2.0, "backward": 3.0} if statics is None else statics
    report = porting.check(Pair(torch=scaling, tf=scaling_tf, statics=given), **WIDEST, only=["value", "vjp"])
    assert report.exit_code == 0, str(report)
    assert (f"made with {told} by default" in report.described[0]) == bool(told), report.described


def recomputed(f, seed=None):
    def operation(x):
        return f(x) * len(list(f.parameters()))

    return operation


def test_a_function_that_it_wants_is_called_one():
    with pytest.raises(PortingError, match=r"f is a function; name FILE.py:make, a function without arguments that"):
        porting.check(Pair(torch=recomputed, tf=recomputed), **WIDEST, only=["value"])
