"""A complex gradient of a real number is a wrong type if real numbers are meant: code for complex numbers gives one.

Seen in code of public repositories: the real part of a signal.
"""

import pytest

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


@tf.custom_gradient
def real_part(z):
    return tf.math.real(z), lambda dy: tf.complex(dy, tf.zeros_like(dy))


@pytest.mark.parametrize(("inputs", "meant"), [({}, "real numbers are"), ({"z": porting.array(("n",))}, "")])
def test_it_is_told_so_where_nobody_described_the_input(inputs, meant):
    report = porting.check(Pair(torch=torch.real, tf=real_part, inputs=inputs), only=["value", "vjp"])
    (cause,) = [d for d in report.diagnoses if d.runner == "tf"]
    assert (cause.cause, cause.meant) == ("wrong_dtype", meant), str(report)


class Joined(torch.autograd.Function):
    @staticmethod
    def forward(ctx, re, im):
        return torch.complex(re, im)

    @staticmethod
    def backward(ctx, dy):
        return dy.real, dy.imag


@tf.custom_gradient
def joined(re, im):
    return tf.complex(re, im), lambda dy: (tf.math.real(dy), tf.math.imag(dy))


def test_a_nan_in_one_part_of_a_cotangent_does_not_come_to_the_other():
    report = porting.check(Pair(torch=Joined, tf=joined), only=["nan_cotangent"])
    assert not any(r.findings for r in report.results), str(report)
