"""What was said falsely of others' code the eleventh time: of NaN, kinks, state, signs, iterations, saved tensors."""

import pytest
from judged import accused_by

import porting
from porting import Pair

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")
from functions import function  # noqa: E402 - needs PyTorch

ANY = {"x": porting.array()}
EDGE = 1 - 1e-15  # 1 in float32, where the gradient is infinite


def slope(dy, x):
    return dy / (1 - x.clamp(-EDGE, EDGE) ** 2)


@tf.custom_gradient
def edge_tf(x):
    x = tf.clip_by_value(x, -EDGE, EDGE)
    return 0 * x, lambda dy: dy / (1 - x**2)


@tf.custom_gradient
def apart_tf(x):
    x = tf.clip_by_value(x, -EDGE, EDGE)
    return 0 * x, lambda dy: dy / tf.maximum(1 - x**2, 1e-15)


def test_what_both_do_in_float32_is_a_note_beside_a_nan_and_in_other_shapes_too():
    asked = {"only": ["value", "vjp", "nan_input", "shapes"]}
    pair = Pair(torch=function(lambda x: 0 * x, slope), tf=edge_tf, inputs=ANY)
    found, report = accused_by(pair, **asked)
    assert not found, str(report)
    noted = {r.check for r in report.results if r.status == "note"}
    assert noted >= {"vjp", "nan_input"}, str(report)


def test_what_one_side_does_in_float32_is_found_beside_a_nan():
    pair = Pair(torch=function(lambda x: 0 * x, slope), tf=apart_tf, inputs=ANY)
    found, report = accused_by(pair, dtypes=["float32"], only=["vjp", "nan_input"])
    assert ("torch", "nan_input") in found, str(report)


# The slope of |x| at 0: 0 times infinity as the root of a square, on both sides or on one.


def rooted(x):
    return torch.sqrt(x * x)


def rooted_tf(x):
    return tf.sqrt(x * x)


def sinc(x):
    return torch.where(x == 0, torch.ones_like(x), torch.sin(x) / x)


def sinc_tf(x):
    return tf.where(x == 0, tf.ones_like(x), tf.sin(x) / x)


def test_a_nan_that_both_have_at_a_kink_is_a_note():
    found, report = accused_by(Pair(torch=rooted, tf=rooted_tf, inputs=ANY), only=["vjp", "finite", "special_values"])
    assert not found, str(report)
    noted = [r for r in report.results if (r.check, r.status) == ("finite", "note")]
    assert {r.runner for r in noted} == {"torch", "tf"}, str(report)
    assert all(f.fields["kink"] and "where the true one is" not in f.what for r in noted for f in r.findings)


@pytest.mark.parametrize(("one", "other", "sides"), [(rooted, tf.abs, {"torch"}), (sinc, sinc_tf, {"torch", "tf"})])
def test_a_nan_of_one_side_or_where_the_forward_is_smooth_is_still_found(one, other, sides):
    found, report = accused_by(Pair(torch=one, tf=other, inputs=ANY), only=["vjp", "finite"])
    assert {runner for runner, check in found if check == "finite"} == sides, str(report)
