"""What an input of a pair is: its shape, its type, where it is defined."""

from collections.abc import Mapping
from dataclasses import dataclass
from keyword import iskeyword
from typing import Any, Final

import numpy as np

from porting.contract import Domain
from porting.dtypes import FLOATS
from porting.errors import PairError

INTEGERS: Final = ("int8", "int16", "int32", "int64", "uint8")
COMPLEX: Final = ("complex64", "complex128")


@dataclass(frozen=True)
class Array:
    """What an input is; made by `array`."""

    shape: tuple[Any, ...]
    dtype: str
    domain: Domain | None

    def __str__(self) -> str:
        """``float64[3,4]{-3..3}``, as on a command line."""
        lengths = ",".join("..." if n is ... else str(n) for n in self.shape)
        if self.domain is None:
            return f"{self.dtype}[{lengths}]"
        low, high = (self.domain[0], self.domain[-1])
        return f"{self.dtype}[{lengths}]{{{low}..{high}}}"


def array(shape: tuple[Any, ...] = (...,), *, dtype: str = "float64", domain: Domain | None = None) -> Array:
    """Describe an input of a pair.

    Parameters
    ----------
    shape : tuple
        Lengths; a name such as ``"n"`` is a length that may vary but is the same wherever it occurs, and ``...`` in
        front stands for any further axes.
    dtype : str
        ``float64``: a real input, checked in float64 and float32; ``float32``, ``float16``, ``bfloat16``: in that type
        alone; ``int64`` and other integers: not differentiated, `domain` is wanted; ``complex128``: complex numbers.
    domain : (low, high) or range, optional
        Where it is defined.

    Raises
    ------
    PairError
        If the type is none of these, or an integer input has no range, or one that its type does not hold.

    Examples
    --------
    >>> import porting
    >>> porting.array((3, 4), domain=(-3, 3)).shape
    (3, 4)
    """
    if dtype not in (*FLOATS, *INTEGERS, *COMPLEX):
        raise PairError(f"no dtype {dtype!r}; there are {', '.join((*FLOATS, *INTEGERS, *COMPLEX))}")
    if (dtype in INTEGERS) != isinstance(domain, range):
        raise PairError(
            f"an input of {dtype} wants a range of integers: array({shape}, dtype={dtype!r}, domain=range(5))"
            if dtype in INTEGERS
            else f"a range is a domain of integers: give array({shape}, dtype='int64', domain={domain!r})",
        )
    if isinstance(domain, range) and domain:
        least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
        if not all(least <= end <= most for end in (domain[0], domain[-1])):
            raise PairError(f"{dtype} goes from {least} to {most}; given is {domain}")
    return Array(tuple(shape), dtype, domain)


def ensure_arguments(inputs: Mapping[str, Any], statics: Mapping[str, Any]) -> None:
    """Refuse names that no argument can have, and inputs that cannot be differentiated."""
    for name in (*inputs, *statics):
        if not name.isidentifier() or iskeyword(name):
            raise PairError(f"{name!r} cannot be the name of an argument")
    for name, described in inputs.items():
        if not isinstance(described, Array):
            raise PairError(f"inputs[{name!r}]={described!r}: porting.array((3, 4), …) is wanted")
    if inputs and all(described.dtype in INTEGERS for described in inputs.values()):
        raise PairError(f"{', '.join(inputs)}: integers are not differentiated; an input of float64 is wanted as well")
