"""Many points in one call: where that gives what one call each gives, and only there."""

import numpy as np
import pytest

from porting.numeric.batched import Batched, many

APART = {
    "elementwise": lambda x: (np.sin(x),),
    "two outputs": lambda x: (x**2, np.exp(x)),
    "along the last axis": lambda x: (np.exp(x) / np.exp(x).sum(-1, keepdims=True),),
    "reduces the last axis": lambda x: (np.abs(x).max(-1),),
}
MIXED = {
    "sum of all": lambda x: (x.sum(),),
    "share of all": lambda x: (x / np.abs(x).sum(),),
    "largest of all": lambda x: (x / np.abs(x).max(),),
    "mean of all taken off": lambda x: (x - x.mean(),),
    "counts": lambda x: (x / x.size,),
    "how many are positive": lambda x: (x * (x > 0).mean(),),
    "first axis": lambda x: (np.cumsum(x, axis=0),),
    "depends on the rank": lambda x: (x * x.ndim,),
    "refuses three axes": lambda x: (x,) if x.ndim < 3 else 1 / 0,
    "one number for all": lambda _: (np.ones(()),),
}


def asked(f, points):
    """Return what a batched function gives for points, and how often the function was called for the second lot."""
    calls = []

    def counted(inputs):
        calls.append(inputs)
        return f(*inputs)

    batched = Batched(counted, {})
    many(batched, points)  # finds out
    calls.clear()
    return many(batched, points), len(calls)


def points(n=9, shape=(3, 4), dtype=np.float64):
    rng = np.random.default_rng(0)
    return [([rng.standard_normal(shape).astype(dtype)],) for _ in range(n)]


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex128])
@pytest.mark.parametrize("shape", [(3, 4), (7,), (1,), (0, 2)])
@pytest.mark.parametrize("name", APART)
def test_rows_that_do_not_mix_share_a_call(name, shape, dtype):
    given = points(shape=shape, dtype=dtype)
    found, calls = asked(APART[name], given)
    assert calls == 1
    for (inputs,), got in zip(given, found, strict=True):
        for a, b in zip(got, APART[name](*inputs), strict=True):
            assert (a.shape, a.dtype) == (b.shape, b.dtype)
            np.testing.assert_allclose(a, b, rtol=1e-6)


@pytest.mark.parametrize("name", MIXED)
def test_rows_that_mix_are_asked_one_by_one(name):
    given = points()
    found, calls = asked(MIXED[name], given)
    assert calls == len(given)
    for (inputs,), got in zip(given, found, strict=True):
        assert all(np.array_equal(a, b) for a, b in zip(got, MIXED[name](*inputs), strict=True))


@pytest.mark.parametrize("shape", [(3, 4), (4, 5), (5, 3), (4, 5, 6)])
def test_a_length_that_is_divided_by_is_seen_whatever_it_is(shape):
    """As many points as rows would hide that a function counts its rows."""
    given = points(shape=shape)
    _, calls = asked(lambda x: (x / len(x),), given)
    assert calls == len(given)


def test_points_that_are_almost_the_same_tell_rows_apart_too():
    x = np.random.default_rng(1).standard_normal((3, 4))
    given = [([x * (1 + 1e-16 * k)],) for k in range(5)]
    _, calls = asked(MIXED["largest of all"], given)
    assert calls == len(given)


def test_a_plain_function_is_asked_point_by_point():
    calls = []
    found = many(lambda inputs: (calls.append(1), (inputs[0] * 2,))[1], points(4))
    assert len(calls) == len(found) == 4


def test_large_points_are_asked_one_by_one():
    given = points(4, shape=(200, 200))
    assert asked(APART["elementwise"], given)[1] == 4
