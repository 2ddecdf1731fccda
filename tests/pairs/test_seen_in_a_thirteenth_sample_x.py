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


# Vectors of the null space of a matrix are anybody's: guessed shapes may have one.


def last_of_svd(x):
    centred = x - x.mean(-2, keepdim=True)
    last = torch.linalg.svd(centred.mT @ centred)[0][..., -1:]
    return last @ last.mT


def first_of_eigh(x):
    centred = x - tf.reduce_mean(x, -2, keepdims=True)
    first = tf.linalg.eigh(tf.matmul(centred, centred, transpose_a=True))[1][..., :1]
    return tf.matmul(first, first, transpose_b=True)


def doubled(x):
    return 2 * first_of_eigh(x)


def test_where_no_result_is_unique_there_is_no_verdict():
    report = porting.check(Pair(torch=last_of_svd, tf=first_of_eigh), only=["value", "large"])
    assert not differing(report), str(report)
    assert any("no result is unique" in r.note for r in report.results), str(report)


@pytest.mark.parametrize(("side", "found"), [(first_of_eigh, False), (doubled, True)])
def test_where_one_is_it_is_judged(side, found):
    pair = Pair(torch=last_of_svd, tf=side, inputs={"x": porting.array((7, 3))})
    report = porting.check(pair, only=["value", "vjp"])
    assert (("tf", "value") in differing(report)) == found, str(report)
