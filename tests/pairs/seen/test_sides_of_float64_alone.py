"""A side that raises in float32 has its differences found in float64: no tolerance is asked for in another type.

Seen in code of public repositories.
"""

import pytest
from everyday import ANY, WIDEST
from judged import accused_by

from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from functions import function  # noqa: E402 - needs PyTorch


def weighted(x):
    weights = torch.eye(x.shape[-1], dtype=torch.float64)
    return x @ weights  # raises for float32


def weighted_tf(factor):
    @tf.custom_gradient
    def op(x):
        return tf.identity(x), lambda dy: factor * dy

    return op


@pytest.mark.parametrize(("factor", "is_found"), [(1.0, False), (1.3, True), (1.01, True), (1 + 1e-6, True)])
def test_a_fault_is_found_and_a_right_one_is_not_accused(factor, is_found):
    pair = Pair(torch=function(weighted, lambda dy, x: dy), tf=weighted_tf(factor), inputs=ANY)
    found, report = accused_by(pair, **WIDEST, only=["value", "vjp"])
    assert {side for side, check in found if check == "vjp"} == ({"torch", "tf"} if is_found else set()), str(report)
