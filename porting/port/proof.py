"""What the checks say of a translation."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from porting.parity.report import Report


@dataclass(frozen=True)
class Proof:
    """What the checks say of a translation.

    Attributes
    ----------
    status : {"proven", "different", "no verdict"}
        Whether value and gradient are those of the source, and every further check of the translation holds that
        holds for the source.
    counted, also : str
        What was compared, or what differs; and what else is to be said of it.
    faults, mended : tuple of str
        Faults of the source: those that its translation has too, and the others.
    limits : mapping of str to str
        By check: where the translation raises and the source does not, and where it has another convention for NaN.
    report : Report, optional
        All results.
    lacks : str
        The module that could not be imported, if this is why there is no verdict.
    interrupted : bool
        A check was interrupted (Ctrl-C).
    """

    status: str
    counted: str
    also: str = ""
    faults: tuple[str, ...] = ()
    mended: tuple[str, ...] = ()
    limits: Mapping[str, str] = field(default_factory=dict)
    report: "Report | None" = None
    lacks: str = ""
    interrupted: bool = False

    @property
    def said(self) -> str:
        """One line: what was compared, or what differs."""
        return self.counted + self.also

    def unfinished(self, why: str) -> Self:
        """Return what is left of a proof where something was not tried: no verdict."""
        return replace(self, status="no verdict", counted=f"{why}; what was compared, and is the same: {self.counted}")
