"""The family linalg beside the built-ins of both frameworks, and SciPy."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")

import tf_impl.linalg as in_tf  # noqa: E402
import torch_impl.linalg as in_torch  # noqa: E402

RNG = np.random.default_rng(0)
X = RNG.standard_normal((3, 5, 5))
DEFINITE = X @ X.swapaxes(-1, -2) + 5 * np.eye(5)
GENERAL = X + 5 * np.eye(5)
DY = RNG.standard_normal((3, 5, 5))
# sums of 5 terms, a few of them one after the other, times the condition, which is below 10
CLOSE = {"rtol": 0, "atol": 500 * 2.0**-53 * 10}


def of_torch(f, *arrays, dy=DY):
    at = [torch.tensor(a, requires_grad=True) for a in arrays]
    y = f(*at)
    return [y.detach().numpy(), *(g.numpy() for g in torch.autograd.grad(y, at, torch.tensor(dy)))]


def of_tf(f, *arrays, dy=DY):
    at = [tf.Variable(a) for a in arrays]
    with tf.GradientTape() as tape:
        y = f(*at)
    return [y.numpy(), *(g.numpy() for g in tape.gradient(y, at, tf.constant(dy)))]


def close(*sides):
    for side in sides[1:]:
        for ours, theirs in zip(sides[0], side, strict=True):
            np.testing.assert_allclose(ours, theirs, **CLOSE)


def test_solve_is_the_built_ins():
    pairs = (of_torch, in_torch.solve), (of_torch, torch.linalg.solve), (of_tf, in_tf.solve), (of_tf, tf.linalg.solve)
    close(*(run(f, GENERAL, X) for run, f in pairs))


def test_logdet_is_slogdet():
    close(
        of_torch(in_torch.logdet, GENERAL, dy=DY[:, 0, 0]),
        of_tf(in_tf.logdet, GENERAL, dy=DY[:, 0, 0]),
        of_torch(lambda a: torch.linalg.slogdet(a)[1], GENERAL, dy=DY[:, 0, 0]),
        of_tf(lambda a: tf.linalg.slogdet(a)[1], GENERAL, dy=DY[:, 0, 0]),
    )


def test_matrix_sqrt_is_sqrtm():
    scipy = pytest.importorskip("scipy.linalg")
    value, gradient = of_torch(in_torch.matrix_sqrt, DEFINITE)
    np.testing.assert_allclose(value, [scipy.sqrtm(a) for a in DEFINITE], **CLOSE)
    _, theirs = of_tf(tf.linalg.sqrtm, DEFINITE)  # of any matrix; the symmetric part is what is left of it here
    np.testing.assert_allclose(gradient, (theirs + theirs.swapaxes(-1, -2)) / 2, **CLOSE)


def test_without_broadening_safe_eigh_is_eigh_but_for_the_signs():
    def ours(a):
        w, v = in_torch.safe_eigh(a, broadening=0.0)
        return v + w.unsqueeze(-2)

    def theirs(a):
        w, v = torch.linalg.eigh((a + a.mT) / 2)
        size = v.detach().abs()
        first = (size > 0.55 * size.amax(-2, keepdim=True)).int().argmax(-2, keepdim=True)
        return v * v.detach().gather(-2, first).sign() + w.unsqueeze(-2)

    close(of_torch(ours, DEFINITE), of_torch(theirs, DEFINITE))
