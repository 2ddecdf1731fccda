"""What was said falsely of right code, and what was guessed, the thirteenth time; in its shape."""

import pytest

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")


def differing(report):
    return {(r.runner, r.check) for r in report.results if r.status == "differ"}


def causes(report):
    return {(d.runner, d.cause) for d in report.diagnoses}


# A second backward is compared with the first one: what both lose, other checks say.


def noisy(x):
    return tf.sin(x), lambda dy: dy * (tf.sin(x + 1e-8) - tf.sin(x - 1e-8)) / 2e-8


@tf.custom_gradient
def differences(x):
    return noisy(x)


@tf.custom_gradient
def used_up(x):
    y, gradient = noisy(x)
    left = [1.0]
    return y, lambda dy: gradient(dy) * (left.pop() if left else 2.0)


@pytest.mark.parametrize(("side", "found"), [(differences, False), (used_up, True)])
def test_a_second_backward_is_compared_with_the_first(side, found):
    report = porting.check(Pair(torch=torch.sin, tf=side, inputs={"x": porting.array(("n",))}))
    assert (("tf", "retained") in differing(report)) == found, str(report)
    assert (("tf", "overwrites_saved") in causes(report)) == found, str(report)
