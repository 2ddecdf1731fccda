"""A sample of the gamma distribution with the gradient of its shape: implicit reparameterisation.

    y      = sample
    dalpha = dy g,  g = - (dF/dalpha) / (dF/dz)  at z = sample

Derivation: F(z; alpha), the distribution function, maps a sample to a uniform number that does not depend on alpha.
With that number held fixed, z is a function of alpha, and g its derivative. The density is
dF/dz = z^(alpha-1) e^-z / Gamma(alpha), and so

    g = z * integral from 0 to inf of (psi(alpha) - log z + s) e^(-alpha s + z (1 - e^-s)) ds
      = z * integral from 0 to inf of (log z - psi(alpha) + s) e^(alpha s - z (e^s - 1)) ds,

from dF/dalpha as an integral over t = z e^-s, or over t = z e^s, since both together are 0. In the first form the
exponential falls from the start for z < alpha, in the second one for z > alpha. Gauss and Legendre's 28 nodes, up to
where it is e^-37, are exact to rounding. For small alpha the first form falls slowly, so the first terms of the series

    g = z sum over k of t_k (psi(alpha + k + 1) - log z),  t_k = z^k / (alpha (alpha + 1) ... (alpha + k)),

are taken off, and the rest is the same integral with alpha + 4. The relative error is some units in the last place for
every alpha and z. At z = 0, where small samples underflow, g is 0; for alpha that is not positive it is NaN.

There is no second derivative. The sample is a function of alpha, but the op sees a number; the derivative of the
formula at a fixed sample is not the second derivative of the sample. Source: Figurnov, Mohamed & Mnih, Implicit
Reparameterization Gradients, 2018; the integrals are ours.
"""

from typing import Any

import numpy as np

from porting.spec import op, unstated

_FAR = 37.0
_NODES = (  # half of the nodes of Gauss and Legendre on [0, 1], and their weights
    (0.001778751213022775, 0.0045621412965472586),
    (0.009348417314563623, 0.01056605629638563),
    (0.022870359685530903, 0.01645071389115219),
    (0.04218348680393396, 0.022136467379502114),
    (0.06705373871280247, 0.027553672837858374),
    (0.09717931454141042, 0.0326364619834998),
    (0.1321945609931841, 0.03732310711728439),
    (0.17167445298056752, 0.041556708614450606),
    (0.21513976409429914, 0.04528587219651642),
    (0.2620628875224409, 0.04846532899896496),
    (0.31187424195546065, 0.05105648378903038),
    (0.363969186182411, 0.05302788296142321),
    (0.41771535893330963, 0.05435559612914707),
    (0.47246035505798284, 0.0550235065082376),
)


@op(
    gradient_of=unstated("the sample is a function of alpha and of a uniform number that the op does not see"),
    wrt=("alpha",),
    order=1,
    domain={"alpha": (0.02, 50.0), "sample": (1e-3, 50.0)},
    refuses=({"sample": [1.0, 2.0]},),
)
def gamma_sample_gradient(alpha: Any, sample: Any) -> Any:
    """The sample."""
    if alpha.shape != sample.shape:
        raise ValueError(f"sample: wanted the shape of alpha, {list(alpha.shape)}, got {list(sample.shape)}")
    return sample


@gamma_sample_gradient.defvjp
def gamma_sample_gradient_vjp(dy: Any, y: Any, alpha: Any, sample: Any) -> Any:
    """The sample's derivative at a fixed value of the distribution function."""
    return dy * np.where((alpha > 0) & (sample >= 0), _derivative(alpha, sample), np.nan)


def _derivative(alpha: Any, z: Any) -> Any:
    below = z <= alpha + 1
    small = np.where(below, z, 0)
    first = h = _psi_minus_log(alpha + 1, z)
    series, term = 0 * z, small / alpha
    for k in range(1, 5):
        series, h, term = series + term * h, h + 1 / (alpha + k), term * (small / (alpha + k))
    a = alpha + 4
    slope = np.where(below, a - z, z - alpha)
    offset = np.where(below, h - 1 / a, 1 / alpha - first)
    reach = np.where(below, _reach_below(a, slope), _reach_above(z, slope))
    turn = np.where(below, -1, 1).astype(z.dtype)
    integral = 0 * z
    for node, weight in _NODES:
        for s in (reach * node, reach * (1 - node)):
            falls = np.exp(-slope * s - z * (np.expm1(turn * s) - turn * s))
            integral = integral + weight * (offset + s) * falls
    return series + np.where(below, term * a, z) * reach * integral


def _reach_below(a: Any, slope: Any) -> Any:
    """Return where slope s + z (s + e^-s - 1) is _FAR or a little more, from s^2 / (2 + s) for the bracket."""
    b = (2 * slope - _FAR) / a
    return 4 * _FAR / a / (b + np.sqrt(b * b + 8 * _FAR / a))


def _reach_above(z: Any, slope: Any) -> Any:
    """Return where slope s + z (e^s - 1 - s) is _FAR or a little more, from s^2 / 2 or slope / z for the bracket."""
    slope = np.maximum(slope, 1)
    by_square = 2 * _FAR / slope / (1 + np.sqrt(1 + 2 * _FAR * (z / slope / slope)))
    return np.minimum(by_square, np.log1p(_FAR / slope))


def _psi_minus_log(x: Any, z: Any) -> Any:
    """psi(x) - log z for x from 1, by the asymptotic series at y = x + 10; no difference of two logarithms."""
    y = x + 10
    total = 0 * x
    for c in (1 / 12, -691 / 32760, 1 / 132, -1 / 240, 1 / 252, -1 / 120, 1 / 12):
        total = (total + c) / y / y
    total = -np.log(np.maximum(z / y, np.finfo(z.dtype).tiny)) - 0.5 / y - total
    for k in range(10):
        total = total - 1 / (x + k)
    return total
