"""The limit: the time that an op needs at least, which is more than that of moving the bytes where it computes much.

Of the forward and of the backward, whichever is more: the bytes that must move, or the kernels that the formula cannot
do without. Where nothing is compiled, each kernel is a pass over memory. A compiler makes one pass of all arithmetic
beside the dear kernels. A reduction is a pass of its own, because it has to end before its result is used.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from porting.bench.formula import DEAR, REDUCTION
from porting.bench.needed import Needed

FUSED: Final = frozenset({"compile", "xla"})  # the modes in which arithmetic is fused

Times = Sequence[float]  # seconds, per round


def limit(mode: str, needed: Needed, floors: tuple[Times, Times], times: Mapping[str, Times]) -> list[float]:
    """Return the limit of one forward and backward in each round.

    Parameters
    ----------
    mode : str
        Such as ``eager`` or ``xla``.
    needed : Needed
        The kernels of the op.
    floors : tuple of sequence of float
        Of moving the bytes of the forward, and those of the backward.
    times : mapping of kernel to sequence of float
        Of each kernel, in the library that is fastest in this round; a way with a kernel that ran nowhere is left out.
    """
    both = zip(floors, (needed.forward, needed.backward), strict=True)
    halves = [_half(mode in FUSED, ways, floor, times) for floor, ways in both]
    return [sum(parts) for parts in zip(*halves, strict=True)]


def _half(fused: bool, ways: Sequence[Sequence[str]], floor: Times, times: Mapping[str, Times]) -> list[float]:
    there = [way for way in ways if all(name in times for name in way)]
    return [
        min((_way(fused, way, f, {name: times[name][k] for name in way}) for way in there), default=f)
        for k, f in enumerate(floor)
    ]


def _way(fused: bool, way: Sequence[str], floor: float, times: Mapping[str, float]) -> float:
    """Return the seconds of one way to compute it: of its kernels, and no less than the floor."""
    if not fused:
        return max(floor, sum(times[name] for name in way))
    reductions = sum(times[name] for name in way if name == REDUCTION)
    dear = [times[name] for name in way if name in DEAR]
    arithmetic = [times[name] for name in way if name not in DEAR and name != REDUCTION]
    return reductions + max(floor, sum(dear) + min(arithmetic, default=0.0) if dear else 0.0)
