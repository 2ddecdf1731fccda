"""Rule R*: no right implementation is accused, and the errors that it must see are outside it."""

import numpy as np
import pytest

from porting.dtypes import FLOATS, as_dtype, unit_roundoff
from porting.numeric import tolerance
from porting.numeric.compare import compare

FORMULAS = {
    "x^2": (lambda x, v: 2 * x * v),
    "tanh": (lambda x, v: v * (1 - np.tanh(x) ** 2)),
    "exp": (lambda x, v: v * np.exp(x)),
    "softmax": (lambda x, v: (lambda y: y * (v - (v * y).sum()))(np.exp(x - x.max()) / np.exp(x - x.max()).sum())),
    "mean": (lambda x, v: np.full_like(x, v.mean() / v.size) * x),
}


def bounds(formula, x, v, dtype, rng):
    def vjp(inputs, cotangents):
        return (formula(inputs[0], cotangents[0]),)

    def draw():
        return [rng.standard_normal(x.shape)], [rng.choice([-1.0, 1.0], v.shape)]

    wide = [x.astype(np.float64)], [v.astype(np.float64)]
    (tol,) = tolerance.of_gradient(vjp, *wide, dtype, rng, tolerance.natural_scale(vjp, draw))
    return formula(wide[0][0], wide[1][0]), tol


def numbers(dtype, rng, scale=1.0, n=40):
    return (scale * rng.standard_normal(n)).astype(as_dtype(dtype)), rng.standard_normal(n).astype(as_dtype(dtype))


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", FORMULAS)
def test_rounding_is_not_accused(name, dtype):
    worst = 0.0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        x, v = numbers(dtype, rng, scale=[0.1, 1.0, 3.0][seed % 3])
        want, tol = bounds(FORMULAS[name], x, v, dtype, rng)
        worst = max(worst, compare(FORMULAS[name](x, v), want, tol, dtype).ratio)
    assert worst < 0.7


@pytest.mark.parametrize(("dtype", "error"), [("float64", 1e-12), ("float32", 1e-4)])
@pytest.mark.parametrize(
    "name", [n for n in FORMULAS if n != "mean"]
)  # a sum that cancels is right to a part of its terms, not of itself
def test_uniform_relative_error_is_seen(name, dtype, error):
    for seed in range(10):
        rng = np.random.default_rng(seed)
        x, v = numbers(dtype, rng)
        want, tol = bounds(FORMULAS[name], x, v, dtype, rng)
        assert compare(want * (1 + error), want, tol, dtype).bad


def test_one_wrong_element_of_100000_is_seen():
    rng = np.random.default_rng(0)
    x, v = numbers("float32", rng, n=100_000)
    want, tol = bounds(FORMULAS["tanh"], x, v, "float32", rng)
    got = want.astype(np.float32)
    got[54321] *= 1.001
    difference = compare(got, want, tol, "float32")
    assert (difference.bad, difference.place) == (1, (54321,))


@pytest.mark.parametrize("n", [40, 100])  # a cotangent for each output, and random signs
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", FORMULAS)
def test_few_points_allow_a_part_of_what_all_allow(name, dtype, n):
    def vjp(inputs, cotangents):
        asked.append(1)
        return (FORMULAS[name](inputs[0], cotangents[0]),)

    for seed in range(10):
        x, v = numbers(dtype, np.random.default_rng(seed), n=n)
        told = [x.astype(np.float64)], [v.astype(np.float64)], dtype
        asked = []
        (few,) = tolerance.few_of_gradient(vjp, *told, np.random.default_rng(seed), 1.0)
        assert len(asked) == 4
        (whole,) = tolerance.of_gradient(vjp, *told, np.random.default_rng(seed), 1.0)
        assert (few <= whole * (1 + 1e-9)).all()
        (least,) = tolerance.least_of_gradient([FORMULAS[name](*told[0], *told[1])], told[1], dtype, 1.0)
        assert (least <= few * (1 + 1e-9)).all()


def test_unit_roundoff():
    assert [unit_roundoff(d) for d in FLOATS] == [2.0**-11, 2.0**-8, 2.0**-24, 2.0**-53]


def test_what_is_large_in_one_row_allows_nothing_in_another():
    def vjp(inputs, cotangents):
        return (cotangents[0] * np.exp(inputs[0]),)

    x, v = np.array([[30.0], [-30.0], [1.0]]), np.array([[2.0], [-0.5], [1.0]])
    (by_rows,) = tolerance.of_gradient(vjp, [x], [v], "float32", np.random.default_rng(0), 1.0, rows=True)
    (together,) = tolerance.of_gradient(vjp, [x], [v], "float32", np.random.default_rng(0), 1.0)
    for k in range(3):
        (alone,) = tolerance.of_gradient(vjp, [x[k]], [v[k]], "float32", np.random.default_rng(0), 1.0)
        assert 0.3 < by_rows[k, 0] / alone[0] < 3, "the perturbations are other ones"
    assert together[1, 0] > 1e6 * by_rows[1, 0]
    (values,) = tolerance.of_value(
        lambda inputs: (np.exp(inputs[0]),), [x], "float32", np.random.default_rng(0), 1.0, rows=True
    )
    assert values[1, 0] < 1e-5
    assert values[0, 0] > 1e6
