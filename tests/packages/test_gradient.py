"""The families gradient and bound beside the built-ins of both frameworks."""

from functools import partial
from importlib import import_module

import numpy as np
import pytest

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")

RNG = np.random.default_rng(0)
X, BOUND, DY = RNG.standard_normal((3, 2, 3, 4)).astype(np.float32)
X[0, 0] = BOUND[0, 0]  # ties
FEW_ROUNDINGS = 8 * 2.0**-24  # a sum of 24 squares of one sign, a root, a quotient, a product


def in_torch(f, *arrays):
    at = [torch.tensor(a, requires_grad=True) for a in arrays]
    y = f(*at)
    return [y.detach().numpy(), *(g.numpy() for g in torch.autograd.grad(y, at, torch.tensor(DY)))]


def in_tf(f, *arrays):
    at = [tf.Variable(a) for a in arrays]
    with tf.GradientTape() as tape:
        y = f(*at)
    return [y.numpy(), *(tf.convert_to_tensor(g).numpy() for g in tape.gradient(y, at, tf.constant(DY)))]


def hooked(hook):
    def f(x):
        y = x.view_as(x)
        y.register_hook(hook)
        return y

    return f


def both(family, name, *arrays, **statics):
    """Yield value and gradients in PyTorch, then in TensorFlow."""
    for run, tree in ((in_torch, "torch_impl"), (in_tf, "tf_impl")):
        op = getattr(import_module(f"{tree}.{family}"), name)
        yield run(partial(op, **statics), *arrays)


def test_clip_gradient_is_a_hook_with_clamp():
    theirs = in_torch(hooked(lambda dy: dy.clamp(-0.5, 1.0)), X)
    for ours in both("gradient", "clip_gradient", X, low=-0.5, high=1.0):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("axis", [None, 0, -1, (0, 2), (-1, -2)])
def test_clip_gradient_norm_is_clip_by_norm(axis):
    theirs = tf.clip_by_norm(DY, 1.5, axis).numpy()
    assert (theirs != DY).any()
    for _, dx in both("gradient", "clip_gradient_norm", X, max_norm=1.5, axis=axis):
        np.testing.assert_allclose(dx, theirs, rtol=FEW_ROUNDINGS)


def test_clip_gradient_norm_is_clip_grad_norm_but_for_what_that_adds():
    p = torch.zeros(DY.shape, requires_grad=True)
    p.grad = torch.tensor(DY)
    length = torch.nn.utils.clip_grad_norm_([p], 1.5).item()
    for _, dx in both("gradient", "clip_gradient_norm", X, max_norm=1.5):
        np.testing.assert_allclose(dx, p.grad * (1 + 1e-6 / length), rtol=FEW_ROUNDINGS)


def test_guided_relu_is_relu_where_the_cotangent_is_positive():
    for f, run in ((torch.relu, in_torch), (tf.nn.relu, in_tf)):
        y, dx = run(f, X)
        for ours in both("gradient", "guided_relu", X):
            np.testing.assert_array_equal(ours, [y, np.maximum(dx, 0)])


@pytest.mark.parametrize(("name", "theirs"), [("lower_bound", tf.maximum), ("upper_bound", tf.minimum)])
def test_a_disconnected_bound_is_maximum_and_minimum_of_tensorflow(name, theirs):
    for ours in both("bound", name, X, BOUND, gradient="disconnected"):
        np.testing.assert_array_equal(ours, in_tf(theirs, X, BOUND))


@pytest.mark.parametrize(("name", "sign"), [("lower_bound", 1), ("upper_bound", -1)])
def test_a_bound_passes_what_the_source_passes(name, sign):
    """`pass_through_if` of tensorflow-compression and compressai, in NumPy: neither is a package of ours."""
    passes = (sign * X >= sign * BOUND) | (sign * DY < 0)
    for _, dx, dbound in both("bound", name, X, BOUND):
        np.testing.assert_array_equal(dx, passes * DY)
        np.testing.assert_array_equal(dx + dbound, DY)
