"""Derivatives from values: exact where they can be, honest about their error where not."""

import numpy as np
import pytest

from porting.numeric import differences

X = np.array([-2.3, -0.4, 0.3, 1.7])
V = np.array([1.0, -3.0, 0.5, 20.0])

CASES = {
    "sin": (np.sin, np.cos),
    "steep tanh": (lambda x: np.tanh(10 * x), lambda x: 10 / np.cosh(10 * x) ** 2),
    "softplus, no complex": (lambda x: np.logaddexp(0, x), lambda x: 1 / (1 + np.exp(-x))),
    "abs, not analytic": (np.abs, np.sign),
    "max, not analytic": (lambda x: np.maximum(x, 0.1), lambda x: (x > 0.1) * 1.0),
    "cumulative": (lambda x: np.cumsum(x**2), None),
}


@pytest.mark.parametrize("name", CASES)
def test_error_estimate_covers_the_error(name):
    f, derivative = CASES[name]
    got = differences.vjp(f, [X], [V], [0])
    exact = V * derivative(X) if derivative else 2 * X * np.cumsum(V[::-1])[::-1]
    error = np.abs(got.value[0] - exact)
    assert (error <= 4 * got.error[0] + 1e-14 * np.abs(exact)).all()
    assert (got.error[0] <= 1e-7 * np.abs(V)).all(), "an estimate that is always large proves nothing"


@pytest.mark.parametrize("beside", [0.0, 1e-6])
def test_a_kink_within_every_step_is_seen(beside):
    got = differences.vjp(lambda x: np.maximum(x, beside), [np.zeros(1)], [np.ones(1)], [0])
    assert np.isnan(got.error[0]) or got.error[0] > 0.1  # central differences of all steps give about 1/2


def test_analytic_functions_take_the_complex_step():
    got = differences.vjp(np.exp, [X], [V], [0])
    assert np.abs(got.value[0] / (V * np.exp(X)) - 1).max() < 1e-15


def test_several_inputs_and_outputs():
    def f(a, b):
        return a * b, np.sum(a)

    got = differences.vjp(f, [X, X[::-1].copy()], [V, np.array(2.0)], [1, 0])
    np.testing.assert_allclose(got.value[0], V * X, rtol=1e-14)
    np.testing.assert_allclose(got.value[1], V * X[::-1] + 2, rtol=1e-14)


def test_inputs_are_not_changed():
    x = X.copy()
    differences.vjp(np.sin, [x], [V], [0])
    assert x.tobytes() == X.tobytes()


@pytest.mark.parametrize(("f", "left", "right"), [(abs, -1, 1), (lambda x: x * abs(x), 0, 0), (np.exp, 1, 1)])
def test_one_sided(f, left, right):
    np.testing.assert_allclose(differences.one_sided(f, 0.0, 1e-5), (left, right), atol=1e-9)
