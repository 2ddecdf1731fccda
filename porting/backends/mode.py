"""What a mode of a framework means: one table of its ``modes.toml``."""

import tomllib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Mode:
    """A way to run an op, in which its own gradient may be lost.

    Attributes
    ----------
    name : str
        In commands and reports, ``compile-func``.
    kept : str
        What counts as kept there, for people.
    dtype : str
        The type of the numbers, whose tolerance holds there. In 16 bits the mode hands them on in float32, and eager
        mode is given float32 too.
    issue : str
        The framework's own issue about gradients that are lost there, as an address; empty if none is known.
    instead : str
        The way round; empty if there is none.
    """

    name: str
    kept: str
    dtype: str = "float64"
    issue: str = ""
    instead: str = ""


def read_modes(file: Path) -> dict[str, Mode]:
    """Return the modes of a framework by name; none if there is no file."""
    if not file.exists():
        return {}
    return {name: Mode(name, **said) for name, said in tomllib.loads(file.read_text(encoding="utf-8")).items()}
