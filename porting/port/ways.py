"""What the other ways are called in which a function is checked, and what a translation must hold for in each."""

from typing import Final

from porting.translate.rule import of_input

SPREAD: Final = "with fewer axes of "
NARROW: Final = "with one number along an axis of "
BESIDE: Final = " and "


def is_spread(way: str) -> bool:
    """Whether one of several inputs is broadcast to the others."""
    return way.startswith((SPREAD, NARROW))


def topics_of(way: str) -> set[str]:
    """Return what a translation must hold for where inputs are broadcast: which ones these are."""
    names = way.removeprefix(SPREAD).removeprefix(NARROW)
    return {of_input(name) for name in names.split(BESIDE)}
