"""Each known surrogate is recognised by its gradient, with its parameters; anything else is none."""

import numpy as np
import pytest

from porting import surrogates
from porting.numeric.families import curve, family_of

PARAMETERS = {
    "scaled": {"height": -0.25},
    "clipped": {"limit": 1.5},
    "between": {"low": -0.5, "high": 2.0},
    "rectangle": {"at": 1.0, "width": 0.5, "height": 1.25},
    "triangle": {"at": 0.7, "width": 1.3, "height": 0.3},
    "fast_sigmoid": {"at": 1.0, "width": 0.04, "height": 1.0},
    "sigmoid": {"at": 0.0, "width": 0.2, "height": 5.0},
    "arctan": {"at": 0.0, "width": 2 / np.pi, "height": 1.0},
    "gaussian": {"at": -1.0, "width": 0.7, "height": 0.8},
    "exponential": {"at": 0.0, "width": 0.1, "height": 2.5},
}
STEP = 1e-5


def slopes(name, parameters):
    function = getattr(surrogates, name)
    return lambda x: (function(x + STEP, **parameters) - function(x - STEP, **parameters)) / (2 * STEP)


def exact(name, parameters):
    """The gradient as a twin would write it."""
    p = parameters
    if name == "clipped":
        return lambda x: (np.abs(x) <= p["limit"]).astype(float)
    if name == "between":
        return lambda x: ((x >= p["low"]) & (x <= p["high"])).astype(float)
    if name == "rectangle":
        return lambda x: p["height"] * (np.abs(x - p["at"]) <= p["width"])
    if name == "scaled":
        return lambda x: np.full(x.shape, p["height"])
    bump = next(b for b in surrogates.BUMPS if b.name == name)
    return lambda x: p["height"] * bump.gradient((x - p["at"]) / p["width"])


def test_all_of_them_are_here():
    ours = {
        n for n, f in vars(surrogates).items() if getattr(f, "__module__", "") == surrogates.__name__ and n.islower()
    }
    assert ours == PARAMETERS.keys()


@pytest.mark.parametrize("name", PARAMETERS)
def test_the_function_has_the_gradient_that_is_recognised(name):
    x = np.random.default_rng(0).uniform(-4, 4, 500)
    got, want = slopes(name, PARAMETERS[name])(x), exact(name, PARAMETERS[name])(x)
    assert np.mean(np.abs(got - want) > 1e-3) < 0.01  # but for the elements beside a kink


@pytest.mark.parametrize("name", PARAMETERS)
def test_it_is_recognised_with_its_parameters(name):
    found, fitted = family_of(exact(name, PARAMETERS[name]))
    assert found == name
    assert fitted == pytest.approx(PARAMETERS[name], rel=1e-5, abs=1e-6)


def test_a_short_number_is_found_as_it_was_written():
    assert family_of(exact("triangle", PARAMETERS["triangle"]))[1] == PARAMETERS["triangle"]


LONG = {
    "gaussian": {"at": 0.0, "width": 0.5, "height": 2 / np.pi**0.5},
    "arctan": {"at": 0.1, "width": 2 / np.pi, "height": 1.0},
    "fast_sigmoid": {"at": 0.12345, "width": 0.7, "height": 1.0},
    "sigmoid": {"at": 0.0, "width": 1 / 3, "height": 0.25},
    "triangle": {"at": 1 / 7, "width": 1.0, "height": 0.3},
    "scaled": {"height": 1 / 3},
    "clipped": {"limit": 2**0.5},
    "between": {"low": -0.123456, "high": 1 / 3},
    "rectangle": {"at": 0.25, "width": 1 / 3, "height": 3.0},
}


@pytest.mark.parametrize("name", LONG)
def test_a_number_has_the_digits_that_it_needs(name):
    """What is printed is pasted, and compared in float64."""
    found, fitted = family_of(exact(name, LONG[name]))
    assert found == name
    assert fitted == pytest.approx(LONG[name], rel=1e-13, abs=1e-13)


def test_every_parameter_is_a_number_that_can_be_typed():
    found = family_of(exact("gaussian", {"at": 0.0, "width": np.sqrt(2), "height": 1 / np.sqrt(2 * np.pi)}))
    assert found is not None
    assert {type(value) for value in found[1].values()} == {float}


def test_straight_through_has_no_parameters():
    assert family_of(np.ones_like) == ("identity", {})


@pytest.mark.parametrize(
    "gradient",
    [
        lambda x: np.where(np.abs(x) < 1, 1.0, 0.1), np.sin, lambda x: np.maximum(0, 1 - x * x),
        lambda x: np.where(x > 0, 1.0, 0.0), np.zeros_like, lambda x: np.full(x.shape, np.nan), lambda x: x[:1],
        lambda x: -3 * x * x, lambda x: -np.exp(-x * x), lambda x: x**3, lambda x: 1 / (1 + np.abs(x)),
        lambda x: np.exp(-np.abs(x)) * (1 + 1e-4 * np.sin(9 * x)),
    ],
)  # fmt: skip
def test_what_is_none_of_them_is_not_taken_for_one(gradient):
    assert family_of(gradient) is None


def test_a_curve_has_its_peak_in_the_middle():
    drawn = curve(lambda x: 0.5 * np.exp(-np.abs(x)))
    assert drawn.endswith(" from -4 to 4, 0.009158 to 0.5 high")
    assert drawn[16] == "█"
    assert drawn[0] == drawn[32] == "▁"
    assert curve(np.ones_like) == "1 everywhere"
    assert curve(lambda x: x[:2]) == ""


def test_ends_that_are_nearly_as_far_from_0_are_told_apart():
    """Quantisers clip at -1 and 1 - 2^-7: no number that is looked at lies between the one end and minus the other."""
    ends = {"low": -1.0, "high": 1 - 2.0**-7}
    assert family_of(exact("between", ends)) == ("between", ends)
