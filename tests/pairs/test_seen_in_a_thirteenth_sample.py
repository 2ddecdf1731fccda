"""What was said falsely of strangers' code the thirteenth time; in its shape."""

import pytest

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


def differing(report):
    return {(r.runner, r.check) for r in report.results if r.status == "differ"}


# Where a function is not defined, its gradient is NaN for a cotangent of 0 too.


@tf.custom_gradient
def scaled_log(x, y):
    return x * tf.math.log(y), lambda dy: (dy * tf.math.log(y), dy * x / y)


@tf.custom_gradient
def forgets(x, y):
    return x * tf.math.log(y), lambda dy: (tf.math.log(y), x / y)


@pytest.mark.parametrize(("other", "sides"), [(scaled_log, set()), (forgets, {"tf"})])
def test_nan_outside_the_domain_is_no_matter_of_linearity(other, sides):
    pair = Pair(torch=lambda x, y: x * torch.log(y), tf=other)
    report = porting.check(pair, only=["value", "vjp", "linear"])
    assert {runner for runner, check in differing(report) if check == "linear"} == sides, str(report)
    assert not {r.note for r in report.results if "torch" in r.note and "fault of its own" in r.note}, str(report)


def test_nan_where_the_function_is_defined_still_is():
    class Divided(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return 2 * x

        @staticmethod
        def backward(ctx, dy):
            return 2 * dy * dy / dy

    report = porting.check(Pair(torch=Divided, tf=lambda x: 2 * x), only=["value", "vjp", "linear"])
    assert ("torch", "linear") in differing(report), str(report)


# The engine hands a cotangent on in the type of the output.


WEIGHTS = [[2.0, 1.0], [0.5, 3.0]]


class Wide(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.double() @ torch.tensor(WEIGHTS, dtype=torch.float64)

    @staticmethod
    def backward(ctx, dy):
        return dy @ torch.tensor(WEIGHTS, dtype=torch.float64).T


def test_a_backward_that_is_called_by_itself_gets_the_type_of_the_output():
    def plain(x):
        return tf.matmul(x, tf.cast(tf.constant(WEIGHTS, tf.float64), x.dtype))

    pair = Pair(torch=Wide, tf=plain, inputs={"x": porting.array(("n", 2))})
    report = porting.check(pair, only=["value", "vjp", "raw_gradient"], dtypes=["float32"])
    found = {(f.code, f.fields.get("quantity")) for r in report.results if r.runner == "torch" for f in r.findings}
    assert ("dtype_differs", "value") in found, str(report)
    assert "raised" not in {code for code, _ in found}, str(report)
