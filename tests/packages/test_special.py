"""The family special beside the built-ins of both frameworks, and SciPy."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
tf = pytest.importorskip("tensorflow")

from porting.oracle.special.bessel_ive import bessel_ive  # noqa: E402
from porting.oracle.special.gamma_sample_gradient import gamma_sample_gradient  # noqa: E402
from tf_impl.special import bessel_ive as bessel_ive_tf  # noqa: E402
from torch_impl.special import bessel_ive as bessel_ive_torch  # noqa: E402

X = np.concatenate([-np.logspace(-6, 3, 50), [0.0], np.logspace(-6, 3, 50)])
ULP = 2.0**-53


@pytest.mark.parametrize("order", [0, 1, 2])
def test_bessel_ive_is_that_of_scipy(order):
    truth = pytest.importorskip("scipy.special").ive(order, X)
    for y in (
        bessel_ive(X, order=order),
        bessel_ive_torch(torch.tensor(X), order=order),
        bessel_ive_tf(X, order=order),
    ):
        np.testing.assert_allclose(y, truth, rtol=128 * ULP)  # of SciPy: 46 beside mpmath, ours are 8


@pytest.mark.parametrize("order", [0, 1])
def test_bessel_ive_has_the_gradient_of_the_built_ins(order):
    x, x_tf = torch.tensor(X, requires_grad=True), tf.Variable(X)
    theirs = (torch.special.i0e, torch.special.i1e)[order]
    with tf.GradientTape(persistent=True) as tape:
        y_tf = bessel_ive_tf(x_tf, order=order)
        theirs_tf = (tf.math.bessel_i0e, tf.math.bessel_i1e)[order](x_tf)
    (ours,) = torch.autograd.grad(bessel_ive_torch(x, order=order).sum(), x)
    (wanted,) = torch.autograd.grad(theirs(x).sum(), x)
    slack = 8 * ULP  # of terms up to 1 in both, which cancel
    np.testing.assert_allclose(ours, wanted, atol=slack, rtol=0)
    np.testing.assert_allclose(tape.gradient(y_tf, x_tf), tape.gradient(theirs_tf, x_tf), atol=slack, rtol=0)


def test_gamma_sample_gradient_is_that_of_the_kernels():
    rng = np.random.default_rng(0)
    alpha = np.exp(rng.uniform(-6, 6, 500))
    sample = rng.gamma(alpha)
    ours = gamma_sample_gradient.vjp(np.ones(500), alpha, sample)
    theirs = torch._standard_gamma_grad(torch.tensor(alpha), torch.tensor(sample)).numpy()
    np.testing.assert_allclose(
        ours, tf.raw_ops.RandomGammaGrad(alpha=alpha, sample=sample), rtol=512 * ULP, atol=1e-307
    )
    np.testing.assert_allclose(ours, theirs, rtol=1e-3, atol=1e-307)
    assert abs(theirs - ours).max() > 1e-4  # PyTorch's kernel has polynomials for float32, and fewer digits than that
