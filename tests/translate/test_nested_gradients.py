"""A gradient that is a custom gradient itself: the second derivative is the one that it says, on both sides."""

import numpy as np
import pytest
import torch

from porting.port.discover import units_of
from porting.port.one import port

_X = np.array([-1.4, 0.3, 2.6])
SOURCE = """import tensorflow as tf


def two(x, scale=2.0):
    @tf.custom_gradient
    def first(x):
        y = x * scale

        @tf.custom_gradient
        def grad(dy):
            return dy * y, lambda ddx: 5.0 * ddx * y

        return y * x, grad

    @tf.custom_gradient
    def second(x):
        @tf.custom_gradient
        def grad(dy):
            @tf.custom_gradient
            def twice(ddx):
                return 7.0 * ddx * x, lambda dddx: 11.0 * dddx

            return 3.0 * dy * x, twice

        return x * x, grad

    return first(x) + second(x)
"""


def derivatives(made):
    """Return value, gradient, and how the gradient depends on the cotangent, as the second level says."""
    ours = {}
    exec(made.text, ours)  # noqa: S102 - what the translator wrote
    x = torch.tensor(_X, requires_grad=True)
    dy = torch.full_like(x, 0.7, requires_grad=True)
    y = ours[made.called](x)
    (dx,) = torch.autograd.grad(y, x, dy, create_graph=True)
    (second,) = torch.autograd.grad(dx, dy, torch.ones_like(dx))
    return [found.detach().numpy() for found in (y, dx, second)]


def test_each_level_is_what_the_source_says(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(SOURCE, encoding="utf-8")
    (unit,) = units_of(path, "", "torch")
    made = port(unit, check=False)
    assert made.refused == ()
    y, dx, second = derivatives(made)
    np.testing.assert_allclose(y, 3 * _X**2, rtol=1e-12)
    np.testing.assert_allclose(dx, 0.7 * (2 * _X + 3 * _X), rtol=1e-12)
    np.testing.assert_allclose(second, 5 * 2 * _X + 7 * _X, rtol=1e-12)


_GRAD = "        def grad(dy):\n            return dy * y"


@pytest.mark.parametrize(
    ("was", "instead", "why"),
    [
        (_GRAD, f"        @mine\n{_GRAD}", "other decorators than tf.custom_gradient"),
        ("dy * y, lambda ddx: 5.0 * ddx * y", "dy * y, elsewhere", "the gradient is defined elsewhere"),
    ],
)
def test_what_is_not_read_is_refused(was, instead, why, tmp_path):
    path = tmp_path / "mine.py"
    assert was in SOURCE
    path.write_text(SOURCE.replace(was, instead), encoding="utf-8")
    made = [port(unit, check=False) for unit in units_of(path, "", "torch")]
    assert not any(one.text for one in made)
    assert any(why in said for one in made for _, said in one.refused), [one.refused for one in made]


def test_an_oracle_has_no_place_for_it(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(SOURCE, encoding="utf-8")
    made = [port(unit, check=False) for unit in units_of(path, "", "numpy")]
    assert all(one.refused and not one.text for one in made)
