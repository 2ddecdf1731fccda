"""The floor: the time of copies that move the bytes which a forward and its backward must move, and do nothing else.

The forward reads the inputs and writes the outputs; the backward reads the inputs again and the cotangents, and writes
the gradients. For one input of n float32 numbers that is 20 n bytes. 1.0 means: as fast as moving the bytes. Only an op
that moves fewer bytes is faster: one that returns the cotangent unchanged, or one that needs no input in its backward.
"""

from typing import Any, Final, Protocol

_UNIT: Final = 4  # bytes; everything is moved as float32, whatever its type


class Kit(Protocol):
    """The copies of one array library."""

    def empty(self, n: int) -> Any:
        """Return n float32 numbers."""

    def copy(self, to: Any, x: Any) -> None:
        """Read one, write one."""

    def add(self, to: Any, x1: Any, x2: Any) -> None:
        """Read two, write one."""

    def read(self, x: Any) -> None:
        """Read one, write nothing."""

    def fill(self, to: Any) -> None:
        """Write one, read nothing."""


class Floor:
    """Moves the bytes, each half when it is called.

    Parameters
    ----------
    inputs, outputs, gradients : int
        Bytes of all inputs, all outputs, and of the gradients that are asked for.
    kit : Kit
        What moves them.
    """

    def __init__(self, inputs: int, outputs: int, gradients: int, kit: Kit) -> None:
        self.bytes = 2 * (inputs + outputs) + gradients
        n_in, n_out, n_grad = (max(1, n // _UNIT) if n else 0 for n in (inputs, outputs, gradients))
        self._kit = kit
        self._read, self._out, self._grad = kit.empty(n_in + n_out), kit.empty(n_out), kit.empty(n_grad)
        self._n_in = n_in
        for x in (self._read, self._out, self._grad):
            kit.fill(x)

    def forward(self) -> None:
        """Move the bytes of the forward."""
        self._move(self._read[: self._n_in], self._out)

    def backward(self) -> None:
        """Move the bytes of the backward."""
        self._move(self._read, self._grad)

    def _move(self, x: Any, to: Any) -> None:
        """Read all of `x` and write all of `to`, by additions, copies, and what is left over on one side."""
        kit, reads, writes = self._kit, len(x), len(to)
        added = max(0, min(writes, reads - writes))
        copied = min(writes, reads) - added
        used = 2 * added + copied
        if added:
            kit.add(to[:added], x[:added], x[added : 2 * added])
        if copied:
            kit.copy(to[added : added + copied], x[2 * added : used])
        if reads > used:
            kit.read(x[used:])
        if writes > added + copied:
            kit.fill(to[added + copied :])
