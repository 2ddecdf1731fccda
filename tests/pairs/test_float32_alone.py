"""A side that takes float32 only: compared there, with the other one as it is, and told."""

import pytest

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from functions import function  # noqa: E402 - needs PyTorch


class Guided(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.relu(x) * 0.5

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return 0.5 * dy * (x > 0)


def guided(factor):
    @tf.custom_gradient
    def twin(x):
        return 0.5 * tf.nn.relu(x), lambda dy: tf.cast(x > 0, tf.float32) * factor * dy

    return twin


def statuses(report, runner, dtype, *checks):
    found = [r for r in report.results if (r.runner, r.dtype) == (runner, dtype) and r.check in checks]
    return {r.status for r in found}


def notes(report):
    return {r.note for r in report.results if r.status == "no verdict"}


def test_it_is_compared_in_float32_and_told():
    report = porting.check(Pair(torch=Guided, tf=guided(0.5)), modes=())
    assert report.exit_code == 0, str(report)
    for runner in ("torch", "tf"):
        assert statuses(report, runner, "float32", "value", "vjp", "linear") == {"agree"}
        assert statuses(report, runner, "float64", "value", "vjp") == {"no verdict"}
    (said,) = notes(report)
    assert said.startswith("TensorFlow takes float32 only (in float64 its backward raised InvalidArgumentError")
    assert said.endswith('; to have that judged: --input "x=float64"')
    once = {r.check for r in report.results if r.status in {"agree", "note"} and r.dtype == "float32"}
    assert {"traced", "coincidences", "python_state", "retained"} <= once  # what is asked once is asked in float32


@tf.custom_gradient
def rounded(x):
    return tf.round(x), lambda dy: dy * tf.ones([], tf.float32)


def test_that_a_gradient_is_no_derivative_of_its_forward_is_noted_there():
    straight = function(torch.round, lambda dy, x: dy)
    noted, agrees = Pair(torch=straight, tf=rounded, name="rounded"), Pair(torch=Guided, tf=guided(0.5))
    for pair, status in ((noted, "note"), (agrees, "agree")):
        report = porting.check(pair, only=["value", "vjp", "adjoint"])
        asked = {(r.runner, r.dtype, r.status) for r in report.results if r.check == "adjoint"}
        assert asked == {("torch", "float32", status), ("tf", "float32", status)}, str(report)


@pytest.mark.slow
def test_what_it_does_wrong_is_found():
    report = porting.check(Pair(torch=Guided, tf=guided(1.0)))
    assert report.exit_code == 1
    assert statuses(report, "tf", "float32", "vjp") == {"differ"}
    assert {d.cause for d in report.diagnoses if d.runner == "tf"} >= {"constant_factor"}
    assert all(d.kind == "disagreement" for d in report.diagnoses if d.runner == "torch")


def test_a_truth_that_refuses_float64_is_said_to_be_of_float32():
    report = porting.check(Pair(torch=Guided, tf=guided(1.0)), only=["vjp"])
    said = {(r.runner, f.what) for r in report.results for f in r.findings}
    assert ("tf", "gradient of x differs from PyTorch in float64") in said, str(report)
    assert ("torch", "gradient of x differs from TensorFlow in float32") in said, str(report)


def test_only_float32_is_asked_for():
    report = porting.check(Pair(torch=Guided, tf=guided(0.5)), dtypes=["float32"])
    assert {r.status for r in report.results} <= {"agree", "note", "not applicable"}, str(report)


def test_a_type_that_is_declared_is_judged():
    report = porting.check(Pair(torch=Guided, tf=guided(0.5), inputs={"x": porting.array()}))
    assert report.exit_code == 1
    assert {r.runner for r in report.results if r.status == "differ"} == {"tf"}


def test_what_takes_neither_type_is_judged():
    @tf.custom_gradient
    def half(x):
        return 0.5 * tf.nn.relu(x), lambda dy: tf.cast(x > 0, tf.float16) * dy

    report = porting.check(Pair(torch=Guided, tf=half))
    assert statuses(report, "tf", "float64", "vjp") == {"differ"}


def test_torch_may_be_the_one():
    class Mixed(Guided):
        @staticmethod
        def backward(ctx, dy):
            (x,) = ctx.saved_tensors
            return 0.5 * dy * (x > 0) @ torch.eye(x.shape[-1], dtype=torch.float32)

    inputs_known = Pair(torch=Mixed, tf=lambda x: 0.5 * tf.nn.relu(x))
    report = porting.check(inputs_known, only=["value", "vjp", "adjoint", "linear"])
    assert all(said.startswith("PyTorch takes float32 only") for said in notes(report))
    assert statuses(report, "tf", "float32", "vjp") == {"agree"}
