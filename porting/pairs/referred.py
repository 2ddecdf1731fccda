"""A function that is given by its name, as an argument of both sides: ``--static func=@FILE.py:function``."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from porting.errors import PairError
from porting.loading import ensure_file, load

_FORM: Final = re.compile(r"@?[^:\s]+:\w+(\.\w+)*")


@dataclass(frozen=True)
class Referred:
    """A function that is loaded when it is called first; it goes to other processes by its name.

    Attributes
    ----------
    target : str
        ``package.module:function`` or ``path/to/file.py:function``.
    """

    target: str

    @cached_property
    def function(self) -> Any:
        """The function."""
        return load(self.target, "static")

    @property
    def __name__(self) -> str:
        """What the function is called."""
        return self.target.rpartition(":")[2]

    def ensure_function(self, name: str) -> None:
        """Refuse what is no function, as the value of a static.

        Raises
        ------
        PairError
            If it is an object of another sort.
        """
        if not callable(self.function):
            raise PairError(
                f"--static {name}={self!r}: is no function but {type(self.function).__name__}; a number or a text is "
                f"typed as it is, and another object is given by a function of yours around the side"
            )

    def __call__(self, *xs: Any, **given: Any) -> Any:
        """Call the function."""
        return self.function(*xs, **given)

    def __repr__(self) -> str:
        """Return it as it is typed."""
        return f"@{self.target}"


ANY_FUNCTION: Final = Referred("porting.functions:smooth")  # where a source calls an argument


def referred(name: str, text: str) -> Referred:
    """Return the function that ``@FILE.py:function`` stands for, as the value of a static.

    Raises
    ------
    PairError, LoadError
        If it has another form, or there is no such file.
    """
    if not _FORM.fullmatch(text):
        raise PairError(f"--static {name}={text}: @FILE.py:function or @package.module:function is wanted")
    place = text[1:].rpartition(":")[0]
    if place.endswith(".py"):
        ensure_file(place, f"--static {name}")
    return Referred(text[1:])
