"""The axes of a parameter on one side, as it is made of an input: their order, and those of length 1."""

from collections.abc import Sequence

NEW = -1  # in an order of axes: one of length 1 that the input does not have


def every_axis(axes: Sequence[int], rank: int) -> list[int]:
    """Return the axes of an input of this rank in that order, and then those of length 1 that the parameter lacks."""
    kept = [k for k in axes if k != NEW]
    return kept + [k for k in range(rank) if k not in kept]
