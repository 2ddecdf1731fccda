"""What breaks the experiments of one cause takes no other cause away, where the op is somebody's pair."""

from dataclasses import replace

import pytest

import porting
from porting import Pair
from porting.diagnosis import match
from porting.diagnosis.cause import causes

torch = pytest.importorskip("torch")


class Thrice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return 2 * x

    @staticmethod
    def backward(ctx, dy):
        return 6 * dy


def broken(evidence):
    raise KeyError("somebody's")


@pytest.mark.parametrize("name", ["wrong_dtype", "constant_factor"])
def test_the_other_causes_are_tried(monkeypatch, name):
    known = {**causes(), name: replace(causes()[name], detect=broken)}
    monkeypatch.setattr(match, "causes", lambda: known)
    pair = Pair(torch=Thrice, like=lambda x: 2 * x, inputs={"x": porting.array()})
    report = porting.check(pair, only=["value", "vjp"], dtypes=["float64"])
    assert report.exit_code == 1
    found = [d.cause for d in report.diagnoses]
    assert found, str(report)
    assert name not in found


def test_of_an_op_of_ours_it_is_told(monkeypatch):
    known = {**causes(), "wrong_dtype": replace(causes()["wrong_dtype"], detect=broken)}
    monkeypatch.setattr(match, "causes", lambda: known)

    @porting.op
    def twice(x):
        return 2 * x

    @twice.defvjp
    def twice_vjp(dy, y, x):
        return 2 * dy

    with pytest.raises(KeyError, match="somebody's"):
        porting.check(twice.bind(torch=Thrice.apply), runners=["torch"], only=["vjp"], dtypes=["float64"])
