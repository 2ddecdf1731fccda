"""What an input of a pair is: its shape, its type, where it is defined."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from keyword import iskeyword
from math import prod
from typing import Any, Final

import numpy as np

from porting.contract import Domain
from porting.dtypes import FLOATS
from porting.errors import PairError, PortingError
from porting.numeric.kinds import NAMES, Kind, kind_of
from porting.room import in_words, memory_here

BOOL: Final = "bool"
INTEGERS: Final = ("int8", "int16", "int32", "int64", "uint8", BOOL)  # what nothing is differentiated by
COMPLEX: Final = ("complex64", "complex128")
DTYPES: Final = (*FLOATS, *INTEGERS, *COMPLEX)
UNSAID: Final = "?"  # stands in what is printed for a length or a number that nobody knows
_LARGEST: Final = 8  # bytes of a number of the truth, whatever is asked for


@dataclass(frozen=True)
class Array:
    """What an input is; made by `array`."""

    shape: tuple[Any, ...]
    dtype: str
    domain: Domain | None
    kind: Kind | None = None
    part: str = ""  # of an argument that is a list or a dictionary of tensors: xs.0, state.h

    @property
    def differentiated(self) -> bool:
        """Whether a gradient by it is asked for: not of integers, masks and one-hot labels."""
        return self.dtype not in INTEGERS and not (self.kind is not None and self.kind.data)

    @property
    def is_symmetric(self) -> bool:
        """Whether it is a symmetric matrix with a gradient, of which only the symmetric part means anything."""
        square = len(self.shape) > 1 and self.shape[-2] == self.shape[-1] != ...
        return self.kind is not None and self.differentiated and square and self.kind.is_symmetric

    def __str__(self) -> str:
        """``float64[3,4]{-3..3}``, as on a command line."""
        lengths = ",".join("..." if n is ... else str(n) for n in self.shape)
        if self.kind is not None:
            return f"{self.dtype}[{lengths}]{{{self.kind.text}}}"
        if self.domain is None:
            return f"{self.dtype}[{lengths}]"
        if self.dtype == BOOL:
            return f"{self.dtype}[{lengths}]"
        low, high = (self.domain[0], self.domain[-1])
        return f"{self.dtype}[{lengths}]{{{low}..{high}}}"


def array(
    shape: tuple[Any, ...] = (...,), *, dtype: str = "float64", domain: Domain | None = None, kind: str = ""
) -> Array:
    """Describe an input of a pair.

    Parameters
    ----------
    shape : tuple
        Lengths; a name such as ``"n"`` is a length that may vary but is the same wherever it occurs, and ``...`` in
        front stands for any further axes.
    dtype : str
        ``float64``: a real input, checked in float64 and float32; ``float32``, ``float16``, ``bfloat16``: in that type
        alone. Inputs of several types are given in these, and compared in the one with the fewest digits. ``int64``
        and other integers: not differentiated, `domain` is wanted, or a function as `kind`; ``bool``: a mask, nor is
        it; ``complex128``: complex numbers, ``complex64``: such, in that type alone.
    domain : (low, high) or range, optional
        Where it is defined.
    kind : str, optional
        What it is, in place of a domain: ``simplex``, ``onehot``, ``unit``, ``sorted``, ``spd``, ``orthogonal``,
        ``positive``, ``probability``, ``sparse 0.1``; ``0,1`` for a mask of these numbers; ``@cases.py:make`` for what
        a function of one's own makes of normal numbers. One-hot labels and masks are not differentiated.

    Raises
    ------
    PairError
        If the type is none of these, or an integer input has no range, or one that its type does not hold; if there is
        no such kind, or the shape contradicts it; if it is larger than the memory of this machine.

    Examples
    --------
    >>> import porting
    >>> porting.array((3, 4), domain=(-3, 3)).shape
    (3, 4)
    """
    if dtype not in DTYPES:
        raise PairError(f"no dtype {dtype!r}; there are {', '.join(DTYPES)}, and the kinds {', '.join(NAMES)}")
    _ensure_room(shape)
    if dtype in INTEGERS and kind.startswith("@") and domain is None:
        made = kind_of(kind)
        return Array(tuple(shape), dtype, None, made if isinstance(made, Kind) else None)
    if dtype == BOOL:
        if domain is not None or kind:
            raise PairError("bool says already which values an input holds; only a function can say more, {@FILE:NAME}")
        return Array(tuple(shape), dtype, range(2))
    if dtype in INTEGERS and kind and domain is None:
        domain, kind = _whole(kind), ""
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
    described = Array(tuple(shape), dtype, domain)
    return _of_kind(described, kind) if kind else described


def _ensure_room(shape: tuple[Any, ...]) -> None:
    """Refuse what no run on this machine could hold, before anything is made of it."""
    size = _LARGEST * prod(n for n in shape if isinstance(n, int))
    if size > memory_here():
        there = in_words(memory_here())
        raise PairError(f"{in_words(size)} in float64, and this machine has {there} of memory: shorter axes are wanted")


def _whole(text: str) -> range | None:
    """Return the range of some integers, ``0,1``, if they are one."""
    numbers = sorted({int(part) for part in text.split(",") if part.strip().lstrip("-").isdecimal()})
    found = range(numbers[0], numbers[-1] + 1) if numbers else range(0)
    return found if len(found) == len(numbers) == text.count(",") + 1 else None


def _of_kind(described: Array, text: str) -> Array:
    if described.dtype not in FLOATS or described.domain is not None:
        other = f"of {described.dtype}" if described.dtype not in FLOATS else f"between {described.domain}"
        raise PairError(f"{text} says which real numbers an input holds; one {other} cannot be that too")
    try:
        kind = kind_of(text)
        if isinstance(kind, Kind):
            kind.ensure_shape(described.shape)
    except PortingError as error:
        raise PairError(str(error)) from None
    return replace(described, kind=kind) if isinstance(kind, Kind) else replace(described, domain=kind)


def without_dots(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Return inputs by names that an argument can have: ``xs.0``, a part of the argument ``xs``, is called ``xs_0``."""
    parts: dict[str, list[str]] = {}
    found: dict[str, Any] = {}
    for name, described in inputs.items():
        argument, dot, key = name.partition(".")
        if dot and isinstance(described, Array):
            parts.setdefault(argument, []).append(key)
        identifier = name.replace(".", "_")
        if identifier in found:
            raise PairError(f"{name} would be called {identifier}, as another input is: give one of them another name")
        found[identifier] = replace(described, part=name) if dot and isinstance(described, Array) else described
    for argument, keys in parts.items():
        _ensure_parts(argument, keys, inputs)
    return found


def _ensure_parts(argument: str, keys: list[str], inputs: Mapping[str, Any]) -> None:
    if argument in inputs:
        raise PairError(f"{argument} is an input, and so is its part {argument}.{keys[0]}: give one or the other")
    numbers = sorted(int(key) for key in keys if key.isdecimal())
    if numbers and (len(numbers) < len(keys) or numbers != list(range(len(keys)))):
        raise PairError(
            f"{', '.join(f'{argument}.{key}' for key in keys)}: the parts of a list are numbered from 0 without gaps, "
            "those of a dictionary have names"
        )


def ensure_arguments(inputs: Mapping[str, Any], statics: Mapping[str, Any]) -> None:
    """Refuse names that no argument can have, and inputs that cannot be differentiated."""
    for name in (*inputs, *statics):
        if not name.isidentifier() or iskeyword(name):
            raise PairError(f"{name!r} cannot be the name of an argument")
    for name, described in inputs.items():
        if not isinstance(described, Array):
            raise PairError(f"inputs[{name!r}]={described!r}: porting.array((3, 4), …) is wanted")
    if inputs and not any(described.differentiated for described in inputs.values()):
        raise PairError(
            f"{', '.join(inputs)}: integers are not differentiated, nor are masks and one-hot labels; an input of "
            "float64 is wanted as well"
        )
