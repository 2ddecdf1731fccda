"""Legendre polynomial of degree three.

    y  = (5 x^3 - 3 x) / 2
    dx = 3/2 (5 x^2 - 1) dy

Source: "Learning PyTorch: Defining new autograd functions" (`LegendrePolynomial3`), as printed. The same text trains
y = a + b P3(c + d x) on a sine; `porting train legendre` repeats that run.
"""

from typing import Any

from porting.spec import op


@op
def legendre_polynomial3(x: Any) -> Any:
    """P3(x)."""
    return 0.5 * (5 * x**3 - 3 * x)


@legendre_polynomial3.defvjp
def legendre_polynomial3_vjp(dy: Any, y: Any, x: Any) -> Any:
    """P3'(x) = 3/2 (5 x^2 - 1)."""
    return dy * 1.5 * (5 * x**2 - 1)
