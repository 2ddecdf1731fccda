"""Gradients of captured variables that come in another order than TensorFlow hands the variables out."""

import pytest
from everyday import ASKED, causes, differing

import porting
from porting import Pair

torch = pytest.importorskip("torch")
pytest.importorskip("tensorflow")

from porting.selftest.pairs.captured import BATCH, Captured, exchanged  # noqa: E402 - where a framework is missing


class AsKeras(torch.nn.Module):
    """A linear layer whose weight has the axes of a Keras kernel."""

    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(4, 3))
        self.bias = torch.nn.Parameter(torch.zeros(3))

    def forward(self, x):
        return x @ self.weight + self.bias


@pytest.mark.parametrize("module", [torch.nn.Linear(4, 3), AsKeras()], ids=["alike", "transposed"])
def test_exchanged_gradients_of_two_shapes_are_no_wrong_shape(module):
    """A gradient of another shape than its variable was laid out as the variable is, which raised an error of ours."""
    report = porting.check(Pair(torch=module, tf=Captured(exchanged), inputs=BATCH), **ASKED)
    assert ("tf", "vjp") in differing(report), str(report)
    assert causes(report, "tf") == ["swapped_gradients"]
    assert "raised" not in str(report)
    assert not causes(report, "torch")


@pytest.mark.parametrize("module", [torch.nn.Linear(4, 3), AsKeras()], ids=["alike", "transposed"])
def test_gradients_in_the_order_of_the_variables_agree(module):
    report = porting.check(Pair(torch=module, tf=Captured(), inputs=BATCH), **ASKED)
    assert not differing(report), str(report)
