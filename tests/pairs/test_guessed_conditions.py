"""What is wrong for inputs that were guessed is a fault only if such inputs are meant."""

import pytest

import porting
from porting import Pair, array
from porting.parity.report import Report
from porting.report.step_summary import markdown

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


class Inverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        y = torch.linalg.inv(a)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        (y,) = ctx.saved_tensors
        return -y.mT @ torch.sign(dy) @ y.mT


@tf.custom_gradient
def inverse(a):
    y = tf.linalg.inv(a)
    return y, lambda dy: -tf.linalg.matrix_transpose(y) @ dy @ tf.linalg.matrix_transpose(y)


CONDITION = "If the guessed inputs are meant"


@pytest.mark.parametrize("inputs", [{}, {"a": array(("n", "n"))}], ids=["guessed", "described"])
def test_the_condition_stands_before_the_cause(inputs):
    report = porting.check(Pair(torch=Inverse, tf=inverse, inputs=inputs), dtypes=["float64"], only=["vjp", "linear"])
    first = next(d for d in report.diagnoses if d.runner == "torch")
    assert first.guessed == (not inputs)
    assert first.cause == "not_linear"
    for text in (str(report), markdown(report)):
        assert (CONDITION.lower() in text.lower()) == (not inputs), text
    again = Report.from_json(report.to_json())
    assert [d.guessed for d in again.diagnoses] == [d.guessed for d in report.diagnoses]
