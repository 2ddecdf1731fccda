"""What is wrong for inputs that were guessed is a fault only if such inputs are meant."""

from dataclasses import replace

import pytest

import porting
from porting import Pair, array
from porting.engine.assumed import assumed
from porting.parity.finding import Diagnosis, Result
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
    assert bool(first.meant) == (not inputs)
    assert first.cause == "not_linear"
    for text in (str(report), markdown(report)):
        assert (CONDITION.lower() in text.lower()) == (not inputs), text
    again = Report.from_json(report.to_json())
    assert [d.meant for d in again.diagnoses] == [d.meant for d in report.diagnoses]


@tf.custom_gradient
def sine(x):
    return tf.sin(x), lambda dy: dy * tf.cos(x)


SIDE = ("f", "torch", "cpu", "eager")
RAISES = Diagnosis(*SIDE, "raises_in_forward", "fault", "It raises.", "", "", explains=("value", "vjp"))


def result(check, status):
    return Result("f", check, "torch", "cpu", "eager", "float64", 0, status, "")


@pytest.mark.parametrize(
    ("cause", "inputs", "results", "meant"),
    [
        (RAISES, {}, [("value", "differ"), ("adjoint", "agree")], "arrays of any shape and number are"),
        (RAISES, {}, [("value", "differ"), ("adjoint", "differ")], ""),
        (RAISES, {"x": array()}, [("value", "differ"), ("adjoint", "agree")], ""),
        (replace(RAISES, explains=("traced",)), {}, [("traced", "differ"), ("adjoint", "agree")], ""),
        (replace(RAISES, cause="wrong_shape", explains=("shapes",)), {}, [], "arrays of any shape and number are"),
        (replace(RAISES, cause="wrong_sign", explains=("shapes", "vjp")), {}, [], ""),
    ],
    ids=["for some", "for all", "described", "in a graph", "rare shapes", "not of shapes"],
)
def test_so_does_another_one_before_what_some_shapes_alone_show(cause, inputs, results, meant):
    pair = Pair(tf=sine, name="f", inputs=inputs)
    assert assumed(cause, pair, (), [result(*one) for one in results]) == meant
