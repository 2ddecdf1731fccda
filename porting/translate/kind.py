"""What is known of a value without running anything: whether it is a tensor, of what type, or a Python value."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Kind:
    """What is known of a value.

    Attributes
    ----------
    what : str
        ``tensor``, ``static`` (a Python number, text or None), ``shape``, ``dtype``, ``tuple``, ``function``,
        ``array`` (of NumPy), or ``unknown``.
    number : str
        Of a tensor or a static: ``float``, ``int``, ``bool``, or nothing if it is not known.
    like : str
        The name of a variable that has the same floating type; nothing for a float that has a type of its own.
    items : tuple of Kind
        Of a tuple.
    """

    what: str = "unknown"
    number: str = ""
    like: str = ""
    items: tuple["Kind", ...] = ()

    @property
    def tensor(self) -> bool:
        """Whether this is a tensor, as far as is known."""
        return self.what == "tensor"

    @property
    def mask(self) -> bool:
        """Whether this is a tensor of truth values."""
        return self.what == "tensor" and self.number == "bool"


UNKNOWN: Final = Kind()
TENSOR: Final = Kind("tensor")
FLOAT: Final = Kind("tensor", "float")
INT: Final = Kind("tensor", "int")
MASK: Final = Kind("tensor", "bool")
STATIC: Final = Kind("static")
WHOLE: Final = Kind("static", "int")
SHAPE: Final = Kind("shape")
DTYPE: Final = Kind("dtype")
ARRAY: Final = Kind("array")


def joined(*kinds: Kind) -> Kind:
    """Return the kind of what is computed from several, element by element."""
    tensors = [kind for kind in kinds if kind.what in {"tensor", "unknown"}]
    if not tensors and any(kind.what == "array" for kind in kinds):
        return ARRAY
    if not tensors:
        numbers = {kind.number for kind in kinds}
        return Kind("static", "float" if "float" in numbers else numbers.pop() if len(numbers) == 1 else "")
    if all(not kind.tensor for kind in tensors):
        return UNKNOWN
    for number in ("float", "", "int", "bool"):
        of_it = [kind for kind in tensors if kind.number == number]
        if of_it:
            floating = number in {"float", ""} or any(kind.number == "float" for kind in kinds)
            like = next((kind.like for kind in of_it if kind.like), "")
            return Kind(
                "tensor", "float" if floating and number else number, like if floating or number == "bool" else ""
            )
    return TENSOR
