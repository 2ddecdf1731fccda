"""Under a finding of one type stands no exception of another one."""

import pytest

import porting
from porting import Pair
from porting.parity.finding import Diagnosis, Finding, Result
from porting.parity.messages import Messages

torch = pytest.importorskip("torch")


def told(raised_in):
    fields = {"stage": "backward", "type": "ValueError", "message": "12 is no 3", "where": "f.py:1", "shapes": "x"}
    finding = Finding("raised", fields)
    side = ("f", "tf", "cpu", "eager")
    result = Result("f", "vjp", "tf", "cpu", "eager", "float32", 0, "differ", findings=(finding,))
    assert result.side == side
    seen = "TypeError: double is no float at f.py:2"
    diagnosis = Diagnosis(*side, "raises_in_backward", "fault", "It raises.", seen, "See it.", raised_in=raised_in)
    (message,) = Messages([result], [diagnosis]).per_side()
    return message


@pytest.mark.parametrize(("raised_in", "shown"), [("float64", False), ("float32", True), ("", True)])
def test_an_exception_of_another_type_is_not_shown(raised_in, shown):
    message = told(raised_in)
    assert "It raises." in message
    assert ("double is no float" in message) is shown, message


class Raising(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 1

    @staticmethod
    def backward(ctx, dy):
        raise ValueError(f"{dy.dtype} is not wanted")


def test_a_cause_says_in_which_type_an_exception_was_seen():
    report = porting.check(Pair(torch=Raising), only=["value", "vjp"])
    assert {d.raised_in for d in report.diagnoses if d.cause == "raises_in_backward"} == {"float64"}, str(report)
