"""A sample of the gamma distribution with the gradient of its shape: implicit reparameterisation.

    y      = sample
    dalpha = dy g,  g = - (dF/dalpha) / (dF/dz)  at z = sample

Derivation: F(z; alpha), the distribution function, maps a sample to a uniform number, which does not depend on alpha. With
that number held fixed, z is a function of alpha whose derivative is g. With dF/dz = z^(alpha-1) e^-z / Gamma(alpha),

    g = z * integral from 0 to inf of (psi(alpha) - log z + s) e^(-alpha s + z (1 - e^-s)) ds                    (z = t e^s)
      = z * integral from 0 to inf of (log z - psi(alpha) + s) e^(alpha s - z (e^s - 1)) ds                      (t = z e^s)

The integrand falls from the start in the first form for z < alpha, in the second one for z > alpha; Gauss-Legendre nodes up
to where it is e^-38 are exact to rounding. With small alpha the first form falls slowly; so its first four terms of a power
series are taken off,

    g = z sum over k of t_k (psi(alpha + k + 1) - log z),  t_k = z^k / (alpha (alpha + 1) ... (alpha + k)),

and the rest is the same integral with alpha + 4. The relative error is some units in the last place, and grows like
sqrt(alpha) for large alpha, as it must: so sensitive is g to alpha and z. At z = 0, where small samples underflow, g is 0.

The sample is a constant to the gradient; it has a gradient in the sense of `torch.distributions` only as the function of
alpha that it is. So there is no second derivative: that of the formula, at a fixed sample, is not that of the sample.
Source: Figurnov, Mohamed & Mnih, Implicit Reparameterization Gradients, 2018; the integrals are ours.
"""

from typing import Any

import numpy as np

from porting.spec import op, unstated

_FAR = 38.0
_SERIES = 4
