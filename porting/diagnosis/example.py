"""Numbers that came and should have come, and whether they are alike."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from porting.parity.sentences import apart
from porting.runners import Case

Array = np.ndarray[Any, Any]
Arrays = Mapping[str, Array]
_LOST: Final = 1e-5  # of the largest element
_TINY: Final = 1e-9  # of the largest element


@dataclass(frozen=True)
class Example:
    """A case in which the gradient is wrong: what came, what should have come, how far off is allowed."""

    case: Case
    got: Arrays
    want: Arrays
    allowed: Arrays

    @property
    def wrong(self) -> dict[str, Array]:
        """The inputs whose gradients are wrong, with the elements that are.

        Those that have lost digits are left out where another one is wrong in its first digits: that explains more.
        """
        masks = {name: ~within(g, self.want[name], self.allowed[name]) for name, g in self.got.items()}
        wrong = {name: mask for name, mask in masks.items() if mask.any()}
        gross = [name for name in wrong if self._is_gross(name)]
        return {name: wrong[name] for name in gross or wrong}

    @property
    def gross(self) -> bool:
        """Whether a gradient is off by more than float32 loses."""
        return any(map(self._is_gross, self.got))

    def _is_gross(self, name: str) -> bool:
        got, want = self.got[name], self.want[name]
        with np.errstate(all="ignore"):
            off = np.abs(got - want)
        return not bool((off <= _LOST * size(want)).all())

    @property
    def tiny(self) -> bool:
        """Whether no gradient is off by more than float64 may lose: no two formulas are as near to each other."""
        off = {n: np.abs(self.got[n] - self.want[n]) for n in self.wrong}
        return all(bool((error <= _TINY * size(self.want[n])).all()) for n, error in off.items())  # a NaN is not small

    @property
    def worst(self) -> str:
        """The worst element, for people: ``dx = 2, should be -2``."""
        return self.worst_of(next(iter(self.wrong)))

    def worst_of(self, name: str) -> str:
        """Return the worst element of the gradient of one input, for people."""
        mask = self.wrong[name]
        off = np.where(mask, np.abs(self.got[name] - self.want[name]), -1)
        at = np.unravel_index(int(np.argmax(np.nan_to_num(off, nan=np.inf))), off.shape)
        got, want = self.got[name][at], self.want[name][at]
        complex_ = np.iscomplexobj(got) or np.iscomplexobj(want)
        shown = [f"{x:.6g}" for x in (got, want)] if complex_ else apart(float(got), float(want), 6)
        return f"d{name} = {shown[0]}, should be {shown[1]}"


def within(got: Array, want: Array, allowed: Array | float) -> Array:
    """Return where two arrays agree; NaN agrees with NaN, and infinity with the same infinity."""
    with np.errstate(all="ignore"):
        same = (got == want) | (np.isnan(got) & np.isnan(want))
        return np.asarray(same | (np.abs(got - want) <= allowed))


def alike(a: Arrays, b: Arrays, tolerance: float = 1e-6) -> bool:
    """Whether two sets of gradients are the same up to a share of their size."""
    shapes = all(a[n].shape == b[n].shape for n in a)
    return shapes and all(bool(within(a[n], b[n], tolerance * max(size(a[n]), size(b[n]))).all()) for n in a)


def size(a: Array) -> float:
    """Return the largest finite magnitude."""
    finite = np.abs(a[np.isfinite(a)])
    return float(finite.max(initial=0.0))
