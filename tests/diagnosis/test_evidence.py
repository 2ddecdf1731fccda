"""A cause is found from the cases that can be asked, though others are refused."""

import pytest

from porting import check
from porting.pairs.array import array
from porting.pairs.pair import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


class SquareOfAMatrix(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        if x.ndim != 2:
            raise ValueError("a matrix is wanted")
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, dy):
        return -2 * ctx.saved_tensors[0] * dy


@tf.custom_gradient
def square_of_a_matrix(x):
    if len(x.shape) != 2:
        raise ValueError("a matrix is wanted")
    return x * x, lambda dy: 2 * x * tf.convert_to_tensor(dy)


@pytest.mark.slow
def test_both_sides_refuse_vectors_and_the_cause_is_named_all_the_same():
    pair = Pair(torch=SquareOfAMatrix.apply, tf=square_of_a_matrix, inputs={"x": array()})
    report = check(pair, dtypes=["float64"])
    assert [d.cause for d in report.diagnoses if d.runner == "torch"][:1] == ["wrong_sign"]
    assert all(d.provided for d in report.diagnoses), "who is right is not known"
