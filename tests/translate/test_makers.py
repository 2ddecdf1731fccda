"""Custom gradients that a function of one's own makes, such as a decorator for methods."""

from types import SimpleNamespace

import numpy as np
import pytest
import tensorflow as tf
import torch

from porting.port.discover import NothingError, units_of
from porting.port.one import port

OF_METHODS = """import functools
import tensorflow as tf


def gradient_of_method(f):
    @functools.wraps(f)
    def wrapped(self, *args, **kwargs):
        if not hasattr(self, "made"):
            self.made = {}
        if f not in self.made:
            self.made[f] = tf.custom_gradient(lambda *a, **kw: f(self, *a, **kw))
        return self.made[f](*args, **kwargs)

    return wrapped


class Layer:
    def __init__(self, k):
        self.k = k

    @gradient_of_method
    def scaled(self, x):
        return tf.sin(self.k * x), lambda dy: 3.0 * self.k * dy
"""
OF_FUNCTIONS = """import tensorflow as tf


def with_gradient(f):
    return tf.custom_gradient(f)


@with_gradient
def tripled(x):
    return tf.sin(x), lambda dy: 3.0 * dy


def _doubled(x):
    return tf.sin(x), lambda dy: 2.0 * dy


doubled = with_gradient(_doubled)
"""
REGISTER = """from functools import wraps
import tensorflow as tf


def register(f, s_f):
    @wraps(f)
    def primitive(*args):
        return f(*args), lambda dy: s_f(dy, *args)

    return tf.custom_gradient(primitive)


def surrogate(limit):
    @tf.custom_gradient
    def clipped(x):
        return tf.sign(x), lambda dy: tf.clip_by_value(dy, -limit, limit)

    return clipped


def plain(f):
    return tf.function(f)
"""
REGISTERED = """import numpy as np
import tensorflow as tf
from register import plain, register, surrogate


def s_sin(dy, x):
    return dy * np.cos(x)


sin = register(np.sin, s_sin)
clipped = surrogate(0.5)
traced = plain(s_sin)
"""
X = np.linspace(-2.0, 2.0, 5)


def ports(tmp_path, text, to="torch"):
    path = tmp_path / "theirs.py"
    path.write_text(text)
    return {one.name: one for one in (port(unit, check=False) for unit in units_of(path, "", to))}


def gradient(text, name, *statics):
    ours = {"__name__": "ours"}
    exec(text, ours)  # noqa: S102 - what the translator wrote
    x = torch.tensor(X, requires_grad=True)
    y = ours[name](x, *statics)
    y.backward(torch.ones_like(y))
    return y.detach().numpy(), x.grad.numpy()


def test_a_decorator_for_methods_is_read_as_the_one_that_it_calls(tmp_path):
    (one,) = ports(tmp_path, OF_METHODS).values()
    assert (one.name, one.refused) == ("Layer.scaled", ())
    theirs = {"__name__": "theirs"}
    exec(OF_METHODS, theirs)  # noqa: S102 - the test's own
    with tf.GradientTape() as tape:
        x = tf.constant(X)
        tape.watch(x)
        y = theirs["Layer"](0.5).scaled(x)
    np.testing.assert_allclose(gradient(one.text, "scaled", 0.5), (y, tape.gradient(y, x)))


@pytest.mark.parametrize(("name", "slope"), [("tripled", 3.0), ("doubled", 2.0)])
def test_so_is_a_function_that_hands_its_own_on(name, slope, tmp_path):
    made = ports(tmp_path, OF_FUNCTIONS)
    assert sorted(made) == ["doubled", "tripled"]
    np.testing.assert_allclose(gradient(made[name].text, name), (np.sin(X), np.full(X.shape, slope)))


def test_what_another_file_makes_of_functions_is_listed_and_refused(tmp_path):
    (tmp_path / "register.py").write_text(REGISTER)
    (one,) = ports(tmp_path, REGISTERED).values()
    assert (one.name, one.text) == ("sin", "")
    assert one.refused == ((10, "sin: is made by register of another file, from functions that it is given"),)


def test_what_another_file_makes_of_numbers_is_listed_there_alone(tmp_path):
    (tmp_path / "register.py").write_text(REGISTER)
    with pytest.raises(NothingError):
        ports(tmp_path, REGISTERED.replace("sin = register(np.sin, s_sin)\n", ""))


HANDED_ON = """import tensorflow as tf
from lib import as_gradient, leak


@as_gradient
def gated(x, cfg):
    def grad(dy):
        return dy * tf.where(x > cfg.floor, tf.ones_like(x), cfg.slope * tf.ones_like(x)), None

    return leak(x, cfg), grad
"""
GRADS = """import tensorflow as tf


def as_gradient(f):
    return tf.custom_gradient(f)


def leak(x, cfg):
    return tf.where(x > cfg.floor, x, cfg.slope * x)
"""


def test_a_maker_may_be_handed_on_by_a_package(tmp_path):
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib/__init__.py").write_text("from .grads import *\n")
    (tmp_path / "lib/grads.py").write_text(GRADS)
    (one,) = ports(tmp_path, HANDED_ON).values()
    assert (one.name, one.refused) == ("gated", ())
    cfg = SimpleNamespace(floor=0.25, slope=0.5)
    y, dx = gradient(one.text, "gated", cfg)
    np.testing.assert_allclose(y, np.where(X > 0.25, X, 0.5 * X))
    np.testing.assert_allclose(dx, np.where(X > 0.25, 1.0, 0.5))
