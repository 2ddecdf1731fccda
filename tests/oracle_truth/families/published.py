"""The printed ops."""

import mpmath
from witness import Witness


def sigma(x):
    return 1 / (1 + mpmath.exp(-x))


def printed_loss_vjp(dy, p, t):
    return mpmath.mpf(1) if abs(p - t) < 0.1 else 2 * (p - t), -2 * (p - t)


def my_activation_vjp(dy, x):
    return (1 - sigma(x) ** 2) / 2 * (mpmath.exp(x) + 1) ** mpmath.mpf(-1.5) * (1 + 3 * mpmath.exp(x))


ORDINARY = [(-3.7, 0.4), (-0.83, -0.9), (0.31, 0.27), (0.77, -1.3), (2.9, 2.2), (17.0, -4.1), (-21.0, 3.0)]

WITNESS = {
    "custom_exp": Witness(mpmath.exp, gradient=lambda x: 2 * mpmath.exp(x)),
    "conditional_op": Witness(lambda x: 2 * x if x > 0 else x / 2),
    "smooth_round": Witness(
        lambda x, *, alpha: (1 + mpmath.tanh(alpha * (x - 0.5))) / 2,
        gradient=lambda x, *, alpha: mpmath.tanh(alpha * (x - 0.5)),
    ),
    "my_activation": Witness(
        lambda x: sigma(x) / mpmath.sqrt(1 + mpmath.exp(x)),
        vjp=my_activation_vjp,
        points=[(x,) for x, _ in ORDINARY],  # as printed: beyond |x| = 709 it overflows
    ),
    "my_elementwise": Witness(lambda x1, x2: x1 * mpmath.exp(-x2)),
    "my_complex_op": Witness(
        lambda x: mpmath.sin(x) ** 2, vjp=lambda dy, x: 2 * mpmath.sin(x) * mpmath.cos(mpmath.sin(x))
    ),
    "custom_relu": Witness(
        lambda x: max(x, mpmath.mpf(0)), vjp=lambda dy, x: mpmath.mpf(1) if x > 0 else mpmath.mpf(-0.5)
    ),
    "custom_squared_loss": Witness(lambda prediction, target: (prediction - target) ** 2, vjp=printed_loss_vjp),
    "memory_efficient_sigmoid": Witness(sigma),
    "legendre_polynomial3": Witness(lambda x: mpmath.legendre(3, x)),
}
