"""What the other ways are called in which a function is checked."""

from typing import Final

SPREAD: Final = "with fewer axes of "


def is_spread(way: str) -> bool:
    """Whether one of several inputs is broadcast to the others."""
    return way.startswith(SPREAD)
