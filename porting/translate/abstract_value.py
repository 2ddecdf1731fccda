"""Abstract values: what is known about the value of an expression without running any code."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Final


class Sort(Enum):
    """The sort of a value: a tensor, a static, a tuple and so on."""

    TENSOR = auto()
    STATIC = auto()  # a Python number, text or None
    SHAPE = auto()
    DTYPE = auto()
    DEVICE = auto()
    TUPLE = auto()
    FUNCTION = auto()
    ARRAY = auto()  # of NumPy
    FINFO = auto()  # what a type knows
    TAPE = auto()  # of TensorFlow: it records for derivatives
    OBJECT = auto()  # of a class of one's own: its attributes are read
    UNKNOWN = auto()


@dataclass(frozen=True)
class Abstract:
    """What is known about a value.

    Attributes
    ----------
    sort : Sort
        Its sort.
    number : str
        For a tensor or a static: ``complex``, ``float``, ``int``, ``bool``, or nothing if it is not known. For a tape:
        ``persistent``, or nothing.
    like : str
        The name of a variable with the same floating type; nothing for a float with a type of its own.
    items : tuple of Abstract
        The elements, for a tuple.
    traced : bool
        For a static: whether it is a length, which is a tensor if the graph does not know it.
    wide : str
        For a float that has more than 16 bits, whatever its inputs have: the source of its type, ``?`` if that is not
        known. PyTorch promotes the other operand.
    axes : int
        How many axes it has, where that is written out; 0 if it is not known.
    """

    sort: Sort = Sort.UNKNOWN
    number: str = ""
    like: str = ""
    items: tuple["Abstract", ...] = ()
    traced: bool = False
    wide: str = ""
    axes: int = 0

    @property
    def tensor(self) -> bool:
        """Whether this is a tensor, as far as is known."""
        return self.sort is Sort.TENSOR

    @property
    def mask(self) -> bool:
        """Whether this is a tensor of truth values."""
        return self.sort is Sort.TENSOR and self.number == "bool"

    @property
    def dtype(self) -> str:
        """The source of the type of a float, or nothing where it is not known."""
        return f"{self.like}.dtype" if self.like else self.wide.strip("?")

    def values(self, number: str | None = None) -> "Abstract":
        """Return the kind of a tensor of this type, or of another kind of number that has the type of the same."""
        return Abstract(Sort.TENSOR, self.number if number is None else number, self.like, wide=self.wide)

    def of_axes(self, axes: int) -> "Abstract":
        """Return the kind of a value with so many axes; 0 if that is not known."""
        return self if self.axes == axes else replace(self, axes=axes)

    def elsewhere(self, names: Mapping[str, str]) -> "Abstract":
        """Return what is known when variables get other names, as in a call of a function; others are unknown."""
        if self.wide:
            text = re.sub(r"\w+(?=\.dtype)", lambda found: names.get(found[0]) or "?", self.wide)
            return Abstract(self.sort, self.number, wide="?" if self.like or "?" in text else text)
        if self.like and not names.get(self.like):
            return Abstract(self.sort, "" if self.number == "float" else self.number)
        items = tuple(item.elsewhere(names) for item in self.items)
        return replace(self, like=names.get(self.like, ""), items=items, axes=0)

    def assigned(self, variable: str) -> "Abstract":
        """Return the kind of a variable that takes this value."""
        if not self.wide:
            return self
        return replace(self, wide=variable) if self.sort is Sort.DTYPE else replace(self, like=variable, wide="?")


UNKNOWN: Final = Abstract()
TENSOR: Final = Abstract(Sort.TENSOR)
COMPLEX: Final = Abstract(Sort.TENSOR, "complex")
_FLOATING: Final = ("complex", "float", "")
FLOAT: Final = Abstract(Sort.TENSOR, "float")
INT: Final = Abstract(Sort.TENSOR, "int")
MASK: Final = Abstract(Sort.TENSOR, "bool")
STATIC: Final = Abstract(Sort.STATIC)
WHOLE: Final = Abstract(Sort.STATIC, "int")
SHAPE: Final = Abstract(Sort.SHAPE)
DTYPE: Final = Abstract(Sort.DTYPE)
ARRAY: Final = Abstract(Sort.ARRAY)


def joined(*kinds: Abstract) -> Abstract:
    """Return the kind of a value that is computed from several values, element by element."""
    tensors = [kind for kind in kinds if kind.sort in {Sort.TENSOR, Sort.UNKNOWN}]
    if not tensors and any(kind.sort is Sort.ARRAY for kind in kinds):
        return ARRAY
    if not tensors:
        numbers = {kind.number for kind in kinds}
        number = "float" if "float" in numbers else numbers.pop() if len(numbers) == 1 else ""
        return Abstract(Sort.STATIC, number, traced=any(kind.traced for kind in kinds))
    if all(not kind.tensor for kind in tensors):
        return UNKNOWN
    for number in ("complex", "float", "", "int", "bool"):
        of_it = [kind for kind in tensors if kind.number == number]
        if of_it:
            floating = number in _FLOATING or any(kind.number == "float" for kind in kinds)
            like = next((kind for kind in of_it if kind.wide), None) or next((k for k in of_it if k.like), UNKNOWN)
            if floating:
                return like.values(number if number in _FLOATING else "float")
            return like.values(number) if number == "bool" else Abstract(Sort.TENSOR, number)
    return TENSOR
