"""What is known of a framework in one place."""

import tomllib
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, Protocol, cast

# What not every framework has, and some checks are about.
Ability = Literal[
    "calls by keyword", "captured variables", "forward mode", "oneDNN", "repaired gradients", "saved tensors",
    "sparse cotangents", "tracing", "vmap", "writable tensors", "XLA",
]  # fmt: skip


class Tensors(Protocol):
    """What is done with a framework's tensors around a call of a side: a module with these functions."""

    def detached(self, y: Any) -> Any:
        """Return a tensor that no gradient comes through."""

    def parted(self, y: Any) -> Any:
        """Return the real and the imaginary part of a complex tensor, in a further axis of two, last."""

    def symmetrised(self, x: Any) -> Any:
        """Return the symmetric part of a stack of matrices."""

    def seed(self, number: int) -> None:
        """Seed the framework's random numbers."""


@dataclass(frozen=True)
class Backend:
    """A framework whose gradients are checked.

    Attributes
    ----------
    key, title : str
        The name in commands, keywords and files, ``torch``; the name in sentences, ``PyTorch``.
    runner : str
        The class that answers cases, ``package.module:Class``; it implements `porting.runners.protocol.Runner`.
    place : str
        The module that does with its tensors what is wanted around a call, see `Tensors`. It imports the framework.
    folder : Path
        Where ``fixes.toml`` stands: what to do about a cause in this framework, by the cause's name.
    types_apart : tuple of tuple of str
        What it says of two types that do not meet: words that stand in one message.
    packages : tuple of str
        What its code imports: the first is the framework, others are parts of it that stand on their own.
    preloaded : tuple of str
        The modules that a first case imports besides; the server of workers imports them once for all.
    has : tuple of str
        What it has of the things that not every framework has; a check says which one it `needs`.
    catalogued : bool
        Whether the ops of the catalogue have a twin in it.
    """

    key: str
    title: str
    runner: str
    place: str
    folder: Path
    types_apart: tuple[tuple[str, ...], ...] = ()
    packages: tuple[str, ...] = ()
    preloaded: tuple[str, ...] = ()
    has: tuple[Ability, ...] = ()
    catalogued: bool = False

    @cached_property
    def fixes(self) -> dict[str, str]:
        """The fix for each cause, by its name; without the file there is none."""
        file = self.folder / "fixes.toml"
        return tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}

    @property
    def tensors(self) -> Tensors:
        """What is done with its tensors; this imports the framework."""
        return cast("Tensors", import_module(self.place))
