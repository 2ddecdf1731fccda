"""The oracle against an independent witness: mpmath at 30 digits, formulas written anew, derivatives by mpmath."""

import mpmath
import numpy as np
import pytest

from porting.registry import ops

mpmath.mp.dps = 30


def sigma(x):
    return 1 / (1 + mpmath.exp(-x))


def relu(x):
    return max(x, mpmath.mpf(0))


def printed_loss_gradient(p, t):
    return mpmath.mpf(1) if abs(p - t) < 0.1 else 2 * (p - t)


# op -> value, and the gradient for a cotangent of 1 as (function to differentiate) or (tuple of partial derivatives).
WITNESS = {
    "custom_exp": (mpmath.exp, lambda x: 2 * mpmath.exp(x)),
    "conditional_op": (lambda x: 2 * x if x > 0 else x / 2, "derivative"),
    "smooth_round": (lambda x: (1 + mpmath.tanh(10 * (x - 0.5))) / 2, lambda x: mpmath.tanh(10 * (x - 0.5))),
    "my_activation": (
        lambda x: sigma(x) / mpmath.sqrt(1 + mpmath.exp(x)),
        (lambda x: (1 - sigma(x) ** 2) / 2 * (mpmath.exp(x) + 1) ** mpmath.mpf(-1.5) * (1 + 3 * mpmath.exp(x)),),
    ),
    "my_elementwise": (lambda x1, x2: x1 * mpmath.exp(-x2), "derivative"),
    "my_complex_op": (
        lambda x: mpmath.sin(x) ** 2,
        (lambda x: 2 * mpmath.sin(x) * mpmath.cos(mpmath.sin(x)),),
    ),
    "custom_relu": (relu, (lambda x: mpmath.mpf(1) if x > 0 else mpmath.mpf(-0.5),)),
    "custom_squared_loss": (
        lambda p, t: (p - t) ** 2,
        (printed_loss_gradient, lambda p, t: -2 * (p - t)),
    ),
    "memory_efficient_sigmoid": (sigma, "derivative"),
    "legendre_polynomial3": (lambda x: mpmath.legendre(3, x), "derivative"),
    "sigmoid_rsqrt": (lambda x: sigma(x) / mpmath.sqrt(1 + mpmath.exp(x)), "derivative"),
    "sin_squared": (lambda x: (1 - mpmath.cos(2 * x)) / 2, "derivative"),
    "relu_negative_slope_gradient": (relu, lambda x: x if x > 0 else -x / 2),
    "squared_error_floor_gradient": (
        lambda p, t: (p - t) ** 2,
        lambda p, t: abs(p - t) if abs(p - t) < 0.1 else (p - t) ** 2,
    ),
}
POINTS = [(-3.7, 0.4), (-0.83, -0.9), (0.31, 0.27), (0.77, -1.3), (2.9, 2.2), (17.0, -4.1), (-21.0, 3.0)]


def partials(witness, value, arity):
    if isinstance(witness, tuple):
        return witness
    function = value if witness == "derivative" else witness
    if arity == 1:
        return (lambda x: mpmath.diff(function, x),)
    return tuple(
        lambda *at, k=k: mpmath.diff(function, at, tuple(int(i == k) for i in range(arity))) for k in range(arity)
    )


def test_every_op_has_a_witness():
    assert set(WITNESS) == {op.name for op in ops().values() if op.module.startswith("porting.oracle.")}


@pytest.mark.parametrize("op", ops().values(), ids=lambda op: op.name)
def test_oracle_is_right_to_the_last_digits(op):
    value, witness = WITNESS[op.name]
    gradients = partials(witness, value, len(op.inputs))
    for point in POINTS:
        at = point[: len(op.inputs)]
        exact = [mpmath.mpf(x) for x in at]
        arrays = [np.float64(x) for x in at]
        got = op.vjp(np.float64(1.0), *arrays)
        pairs = [(op(*arrays), value(*exact))]
        pairs += list(zip(got if len(op.inputs) > 1 else (got,), (g(*exact) for g in gradients), strict=True))
        for ours, truth in pairs:
            # 40 units in the last place of the result, or of 1e-3 where a sum cancels
            assert abs(ours - truth) <= 40 * 2.0**-53 * max(abs(truth), 1e-3), (op.name, at, ours, truth)
