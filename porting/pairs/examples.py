"""What a module is called with once, so that it makes its weights."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from porting.numeric import samples
from porting.pairs.array import BOOL, COMPLEX, INTEGERS, Array

_SHAPES: Final = ((3, 4), (2, 5))  # of inputs of any shape, in a first call and in another one
_KINDS: Final = {BOOL: np.bool_}
_LENGTHS: Final = ((4, 5, 3, 2, 6), (7, 3, 4, 5, 2))  # of named axes: of the first an even length and an odd one


@dataclass(frozen=True)
class Call:
    """A call of a module.

    Attributes
    ----------
    forward : tuple of str
        The names of its inputs.
    pair : porting.Pair
        Which describes them.
    statics : mapping
        What no constructor took.
    guessed : bool
        Whether nothing was said of the inputs.
    packing : callable
        Makes the arguments of the inputs: some may be lists of them.
    seed : int
        The numbers follow from it.
    """

    forward: tuple[str, ...]
    pair: Any
    statics: Mapping[str, Any]
    guessed: bool
    packing: Callable[[Sequence[Any]], list[Any]] = list
    seed: int = 0

    def inputs(self, *, other: bool = False) -> list[Any]:
        """Return examples, with numbers that they may have; `other` ones have other lengths where these vary."""
        declared = {**{n: a.shape for n, a in self.pair.inputs.items()}, **self.pair.contract.shapes}
        names = dict.fromkeys(n for shape in declared.values() for n in shape if isinstance(n, str))
        sizes = dict(zip(names, (*_LENGTHS[other], *range(7, 7 + len(names))), strict=False))
        rng, found = np.random.default_rng(self.seed), []
        for name in self.forward:
            wanted = declared.get(name, (...,))
            front = _SHAPES[other] if wanted == (...,) else _SHAPES[other][:-1]
            shape = [k for n in wanted for k in (front if n is ... else (sizes.get(n, n),))]
            found.append(_drawn(rng, shape, self.pair.inputs.get(name)))
        return found

    def arguments(self, *, other: bool = False) -> list[Any]:
        """Return the examples as the module takes them."""
        return self.packing(self.inputs(other=other))

    def shapes(self, *, other: bool = False) -> str:
        """Return names and shapes of the examples, for messages."""
        inputs = self.inputs(other=other)
        return ", ".join(f"{name}{list(x.shape)}" for name, x in zip(self.forward, inputs, strict=True))


def _drawn(rng: np.random.Generator, shape: list[Any], described: Array | None) -> Any:
    domain: Any = None if described is None else described.domain
    drawn = samples.draw(rng, tuple(shape), "float32", domain)
    if described is not None and described.dtype in COMPLEX:
        return drawn * np.exp(1j * rng.uniform(0, 2 * np.pi, drawn.shape)).astype("complex64")
    if described is not None and described.kind is None and described.dtype in INTEGERS:
        return drawn.astype(described.dtype)
    return (
        drawn
        if described is None or described.kind is None
        else described.kind(drawn).astype(_KINDS.get(described.dtype, np.float32))
    )
