"""NaN and infinity, overflow, the worst element, units in the last place."""

import ml_dtypes
import numpy as np
import pytest

from porting.numeric.compare import compare, sum_to

ONE = np.array([1.0, 2.0, 3.0])
TOL = np.full(3, 1e-6)


def test_nan_agrees_with_nan_only():
    nan = np.array([1.0, np.nan, 3.0])
    assert compare(nan, nan, TOL, "float64").bad == 0
    assert compare(nan, ONE, TOL, "float64").bad == 1
    assert compare(ONE, nan, TOL, "float64").bad == 1


def test_infinity_where_the_oracle_is_finite_is_bad():
    assert compare(np.array([1.0, np.inf, 3.0]), ONE, TOL, "float64").bad == 1


def test_overflow_of_the_type_is_excused_and_counted():
    want = np.array([1.0, 1e5, 3.0])
    got = np.array([1.0, np.inf, 3.0], dtype=np.float16)
    difference = compare(got, want, TOL, "float16")
    assert (difference.bad, difference.total, difference.excused) == (0, 2, 1)
    assert compare(got, want, TOL, "float32").bad == 1


def test_worst_element():
    got = ONE + np.array([[0, 1e-5, 1e-7]])
    difference = compare(got, ONE[None], TOL[None], "float32")
    assert difference.place == (0, 1)
    assert difference.ratio == pytest.approx(10)
    assert difference.ulp == pytest.approx(1e-5 / 2**-22)


def test_bfloat16():
    got = ONE.astype(ml_dtypes.bfloat16)
    assert compare(got, ONE, TOL, "bfloat16").bad == 0
    assert compare(got + got, ONE, TOL, "bfloat16").ulp == 3 / 2**-6


def test_nothing_is_nothing():
    assert compare(np.zeros((0, 2)), np.zeros((0, 2)), np.zeros((0, 2)), "float64").total == 0


def test_shapes_must_agree():
    with pytest.raises(ValueError, match="cannot be compared"):
        compare(ONE, ONE[:1], TOL, "float64")


@pytest.mark.parametrize(
    ("given", "shape", "wanted"),
    [((2, 3, 4), (3, 1), (3, 1)), ((3, 4), (3, 4), (3, 4)), ((3, 4), (2, 4), None), ((), (3, 1), None)],
)
def test_what_was_broadcast_is_summed_to_its_shape_and_what_has_fewer_axes_is_not(given, shape, wanted):
    found = sum_to(np.ones(given), shape)
    assert (None if found is None else found.shape) == wanted
    assert found is None or found.sum() == np.ones(given).sum()
