"""The family loss beside the built-ins of both frameworks."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")

import tf_impl.loss as in_tf  # noqa: E402
import torch_impl.loss as in_torch  # noqa: E402

RNG = np.random.default_rng(0)
X = 3 * RNG.standard_normal((20, 7))
LABELS = RNG.integers(7, size=20)
ROUNDING = 100 * 2.0**-53  # a logarithm of a sum of 7, a mean, of numbers up to 12


def torch_value_and_gradient(f):
    x = torch.tensor(X, requires_grad=True)
    y = f(x, torch.tensor(LABELS))
    return y.detach().numpy(), torch.autograd.grad(y.sum(), x)[0].numpy()


def tf_value_and_gradient(f):
    x = tf.Variable(X)
    with tf.GradientTape() as tape:
        y = f(x, tf.constant(LABELS))
    return y.numpy(), tf.convert_to_tensor(tape.gradient(y, x)).numpy()


def assert_same(one, other, rounding=ROUNDING):
    for a, b in zip(one, other, strict=True):
        np.testing.assert_allclose(a, b, rtol=rounding, atol=rounding)


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 1.0])
def test_smoothed_cross_entropy_is_that_of_torch_and_keras(smoothing):
    def by_torch(x, labels):
        return torch.nn.functional.cross_entropy(x, labels, reduction="none", label_smoothing=smoothing)

    def by_keras(x, labels):
        return tf.keras.losses.categorical_crossentropy(
            tf.one_hot(labels, 7, dtype=x.dtype), x, from_logits=True, label_smoothing=smoothing
        )

    ours = torch_value_and_gradient(lambda *at: in_torch.smoothed_cross_entropy(*at, smoothing=smoothing))
    assert_same(ours, torch_value_and_gradient(by_torch))
    assert_same(tf_value_and_gradient(lambda *at: in_tf.smoothed_cross_entropy(*at, smoothing=smoothing)), ours)
    assert_same(ours, tf_value_and_gradient(by_keras))


@pytest.mark.parametrize("gamma", [0.5, 2.0])
def test_focal_loss_is_that_of_keras(gamma):
    """Keras clips p at 1e-7: the gradient stops there, the value is off by gamma times that."""

    def by_keras(x, labels):
        return tf.keras.losses.categorical_focal_crossentropy(
            tf.one_hot(labels, 7, dtype=x.dtype), x, alpha=0.25, gamma=gamma, from_logits=True
        )

    ours = torch_value_and_gradient(lambda *at: in_torch.focal_loss(*at, gamma=gamma, alpha=0.25))
    assert_same(tf_value_and_gradient(lambda *at: in_tf.focal_loss(*at, gamma=gamma, alpha=0.25)), ours)
    assert_same(ours, tf_value_and_gradient(by_keras), rounding=1e-6)


def test_soft_dtw_becomes_dtw_and_its_path():
    """With a small gamma it is the classic recursion, and the gradient marks the best alignment."""
    distance = RNG.random((9, 6))
    cost = np.full((10, 7), np.inf)
    cost[0, 0] = 0
    for i, j in np.ndindex(9, 6):
        cost[i + 1, j + 1] = distance[i, j] + min(cost[i, j], cost[i, j + 1], cost[i + 1, j])
    d = torch.tensor(distance, requires_grad=True)
    y = in_torch.soft_dtw(d, gamma=1e-4)
    (share,) = torch.autograd.grad(y, d)
    assert abs(y.item() - cost[-1, -1]) < 1e-4 * np.log(3) * 15  # at most 3 ways at each of 15 antidiagonals
    assert abs((share * d).sum().item() - cost[-1, -1]) < 1e-4 * np.log(3) * 15
