"""The run that the fourth published text prints, and whether a fit reproduces it.

    y = a + b P3(c + d x), fitted to sin(x) on 2000 points of [-pi, pi]
    loss = sum of squares; plain gradient descent in float32

Source: "Learning PyTorch: Defining new autograd functions". One module per runner repeats it: `oracle`, `torch`, `tf`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from porting.oracle.published.legendre_polynomial3 import legendre_polynomial3
from porting.runners.base import Array

STEPS: Final = 2000
POINTS: Final = 2000
LEARNING_RATE: Final = 5e-6
START: Final = (0.0, -1.0, 0.0, 0.3)  # a, b, c, d

PUBLISHED_LOSSES: Final[Mapping[int, float]] = {
    99: 209.95834350585938,
    199: 144.66018676757812,
    299: 100.70249938964844,
    399: 71.03519439697266,
    499: 50.97850799560547,
    599: 37.403133392333984,
    699: 28.206867218017578,
    799: 21.97318458557129,
    899: 17.7457275390625,
    999: 14.877889633178711,
    1099: 12.93176555633545,
    1199: 11.610918998718262,
    1299: 10.71425724029541,
    1399: 10.10548210144043,
    1499: 9.692106246948242,
    1599: 9.411375045776367,
    1699: 9.220745086669922,
    1799: 9.091285705566406,
    1899: 9.003360748291016,
    1999: 8.943639755249023,
}
PUBLISHED_B: Final = -2.208526849746704
PUBLISHED_D: Final = 0.2554861009120941

# The text ran on another machine and release: the order of a float32 sum of 2000 terms is not its to fix.
LOSS_TOLERANCE: Final = 1e-5  # relative
WEIGHT_TOLERANCE: Final = 1e-5  # of b and d, absolute
ZERO_TOLERANCE: Final = 1e-6  # of a and c: zero by symmetry, so all that is printed of them is rounding

OnStep: TypeAlias = Callable[[int], None]
"""Called after every step with its number, 0 to 1999, as the text counts them."""


@dataclass(frozen=True)
class Fit:
    """The result of one runner.

    Attributes
    ----------
    runner : str
        ``oracle``, ``torch`` or ``tf``.
    curve : tuple of float
        The loss before each step's update, as the text prints it.
    a, b, c, d : float
        The weights after the last step.
    """

    runner: str
    curve: tuple[float, ...]
    a: float
    b: float
    c: float
    d: float

    @property
    def losses(self) -> dict[int, float]:
        """Return the losses at the steps that the text prints: 99, 199, ..., 1999."""
        return {step: self.curve[step] for step in PUBLISHED_LOSSES}

    def predict(self, x: Array) -> Array:
        """Return a + b P3(c + d x)."""
        return np.asarray(self.a + self.b * legendre_polynomial3(self.c + self.d * x))


def deviation(fit: Fit) -> float:
    """Return the largest relative deviation from the published losses; NaN if any loss is NaN."""
    return float(np.max([_relative(loss, step) for step, loss in fit.losses.items()]))


def apart(fit: Fit, other: Fit) -> float:
    """Return the largest relative difference between two fits over all losses, not only the printed ones.

    This is a hundred times sharper than the printed table. By the first printed step the weights have converged, and
    their limit hardly depends on the size of the gradient.
    """
    mine, theirs = np.array(fit.curve), np.array(other.curve)
    return float(np.max(np.abs(mine / theirs - 1)))


def mismatches(fit: Fit) -> list[str]:
    """Say what does not match the text, a sentence each; nothing when the fit reproduces it."""
    if len(fit.curve) != STEPS:
        return [f"there are {len(fit.curve)} losses, and {STEPS} are wanted"]
    found = [
        f"the loss at step {step} is {loss:.9g}, printed is {PUBLISHED_LOSSES[step]:.9g}: "
        f"{_relative(loss, step):.1e} off, {LOSS_TOLERANCE:.0e} allowed"
        for step, loss in fit.losses.items()
        if not _relative(loss, step) <= LOSS_TOLERANCE  # negated, so that NaN does not pass
    ]
    found += [
        f"{name} is {value:.9g}, printed is {printed:.9g}: "
        f"{abs(value - printed):.1e} off, {WEIGHT_TOLERANCE:.0e} allowed"
        for name, value, printed in (("b", fit.b, PUBLISHED_B), ("d", fit.d, PUBLISHED_D))
        if not abs(value - printed) <= WEIGHT_TOLERANCE
    ]
    found += [
        f"{name} is {value:.9g}, which is not zero within {ZERO_TOLERANCE:.0e}"
        for name, value in (("a", fit.a), ("c", fit.c))
        if not abs(value) <= ZERO_TOLERANCE
    ]
    return found


def _relative(loss: float, step: int) -> float:
    return abs(loss / PUBLISHED_LOSSES[step] - 1)
