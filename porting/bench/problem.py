"""Makes the inputs that an op is measured with: random signs, and about as many elements as asked for."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Any, Final

import numpy as np

from porting.numeric import samples
from porting.parity.cases import Cases
from porting.runners.base import Array
from porting.spec import Op

_SIDE: Final = 64  # the longest that an axis with a name becomes, where another one can grow instead


@dataclass(frozen=True)
class Problem:
    """One op with its inputs.

    Attributes
    ----------
    op : Op
        What is measured.
    dtype : str
        The floating type of the inputs.
    inputs : mapping of input name to numpy.ndarray
        Drawn from the contract's domain.
    statics : mapping
        The first values that the contract gives for those without a default, and what was asked for.
    """

    op: Op
    dtype: str
    inputs: Mapping[str, Array]
    statics: Mapping[str, Any]

    @property
    def elements(self) -> int:
        """How many elements the largest input has."""
        return max(x.size for x in self.inputs.values())

    @property
    def input_bytes(self) -> int:
        """The size of the largest input: the unit that kept memory is counted in."""
        return max(x.nbytes for x in self.inputs.values())

    @property
    def shapes(self) -> str:
        """The shapes, as ``x[65536, 64] w[64, 64]``."""
        return " ".join(f"{name}{list(x.shape)}" for name, x in self.inputs.items())

    def cotangents(self, shapes: list[tuple[int, ...]]) -> list[Array]:
        """Draw one cotangent per output."""
        rng = samples.generator(1, self.op.name)
        return [samples.draw(rng, shape, self.dtype) for shape in shapes]


def problem(op: Op, size: int, dtype: str, **statics: Any) -> Problem:
    """Make the problem whose largest input has about `size` elements, and never more."""
    cases = Cases(op, dtype)
    shape, lengths = layout(op, size)
    inputs = cases.draw(samples.generator(0, op.name), shape, lengths)
    return Problem(op, dtype, inputs, {**next(cases.variants()), **statics})


def layout(op: Op, size: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Choose the `shape` and the `lengths` from which `Cases` makes shapes.

    Axes with a name get at most 64 elements, and fewer where an input has several and `size` is small. What is missing
    to `size` becomes a batch axis where the contract has ``...``, else it goes to the axes that come first in some
    input and last in none, or to the only one that an input has.
    """
    declared = {name: given for name, given in op.contract.shapes.items() if given}
    if any(name not in op.contract.shapes for name in op.inputs):
        return (size,), tuple(_SIDE for _ in _names(declared))
    inner = {name: given[1:] if given[:1] == (...,) else given for name, given in declared.items()}
    most = max((sum(isinstance(n, str) for n in given) for given in inner.values()), default=1)
    side = max(1, min(_SIDE, int(size ** (1 / max(most, 1)) + 1e-9)))
    lengths = dict.fromkeys(_names(declared), side)
    batched = {name: given for name, given in inner.items() if declared[name][:1] == (...,)}
    if batched:
        only_indices = set(batched) <= set(op.contract.integers)
        each = side if only_indices else _largest(batched, lengths)  # an index stands for a row
        return (max(1, size // each), 1), tuple(lengths.values())
    trailing = {n for given in inner.values() for n in given[1:]}
    growing = [given[0] for given in inner.values() if isinstance(given[0], str) and given[0] not in trailing]
    if not growing and most == 1:
        growing = list(lengths)
    if not growing:
        side = max(1, int(size ** (1 / most) + 1e-9))
        return (1,), tuple(side for _ in lengths)
    grows = {name: given for name, given in inner.items() if set(given) & set(growing)}
    grown = max(1, size // _largest(grows, {**lengths, **dict.fromkeys(growing, 1)}))
    return (1,), tuple({**lengths, **dict.fromkeys(growing, grown)}.values())


def _names(declared: Mapping[str, tuple[Any, ...]]) -> list[str]:
    return list(dict.fromkeys(n for given in declared.values() for n in given if isinstance(n, str)))


def _largest(inner: Mapping[str, tuple[Any, ...]], lengths: Mapping[str, int]) -> int:
    return max(prod(lengths[n] if isinstance(n, str) else n for n in given) for given in inner.values()) or 1


def nbytes(arrays: list[Array]) -> int:
    """Return the bytes of some arrays."""
    return int(np.sum([x.nbytes for x in arrays], dtype=np.int64))
