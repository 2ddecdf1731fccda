"""The record of a framework: one place for everything that differs from framework to framework."""

import re
import tomllib
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Literal, Protocol, cast

from porting.backends.mode import Mode, read_modes

# What not every framework has, and some checks are about.
Ability = Literal[
    "calls by keyword", "captured variables", "forward mode", "oneDNN", "repaired gradients", "saved tensors",
    "sparse cotangents", "tracing", "vmap", "writable tensors", "XLA",
]  # fmt: skip

# Types in the messages of frameworks: of whole numbers, and of others.
_WHOLE: Final = re.compile(r"(?i)\b(u?int\d*|long)\b")
_REAL: Final = re.compile(r"(?i)float|double|half|complex")


class Tensors(Protocol):
    """The functions of a framework's module for its tensors, which are called around a call of a side."""

    def detached(self, y: Any) -> Any:
        """Return a tensor that no gradient comes through."""

    def parted(self, y: Any) -> Any:
        """Return the real and the imaginary part of a complex tensor, in a further axis of two, last."""

    def symmetrised(self, x: Any) -> Any:
        """Return the symmetric part of a stack of matrices."""

    def signed(self, y: Any, axis: int) -> Any:
        """Return vectors along an axis, -1 or -2, turned to one side of a plane; what has fewer axes as it is.

        The plane is one that no vector of simple numbers lies in.
        """

    def in_order(self, x: Any, order: Sequence[int]) -> Any:
        """Return a tensor with its axes in another order; one with another number of axes as it is."""

    def in_type(self, x: Any, dtype: Any) -> Any:
        """Return a real floating tensor in a type, of a name or of another tensor; anything else as it is."""

    def seed(self, number: int) -> None:
        """Seed the framework's random numbers."""

    def switched(self) -> str:
        """Say which setting of an imported file does not hold in the calls of a side; empty if there is none."""


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
        The module with the functions for its tensors, see `Tensors`. It imports the framework.
    folder : Path
        The folder with ``fixes.toml``, the fix for each cause in this framework, by the cause's name, and with
        ``modes.toml``, see `Mode`.
    types_apart : tuple of tuple of str
        Words that occur together in the message that it raises for operands of two types.
    packages : tuple of str
        The packages that its code imports: the first is the framework, the others are separate packages that belong to
        it.
    preloaded : tuple of str
        Further modules that a first case imports; the server of workers imports them once for all workers.
    has : tuple of str
        The abilities that it has and that not every framework has; a check says which one it `needs`.
    no_graph : str
        Words of the message that it raises if an output without a gradient is differentiated; it may raise nothing.
    no_phase : str
        Words of the message that it raises where a gradient hangs on the phases of eigenvectors; it may raise nothing.
    catalogued : bool
        Whether the ops of the catalogue have a twin in it.
    draws : str
        The context manager that gives its draws the numbers of a stream, ``package.module:function``; empty if there is
        none, see `porting.runners.stream`. It imports the framework.
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
    no_graph: str = ""
    no_phase: str = ""
    catalogued: bool = False
    draws: str = ""

    @cached_property
    def fixes(self) -> dict[str, str]:
        """The fix for each cause, by its name; empty if there is no file."""
        file = self.folder / "fixes.toml"
        return tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}

    @cached_property
    def modes(self) -> dict[str, Mode]:
        """The modes in which an op can be run, by name; empty if there is no file."""
        return read_modes(self.folder / "modes.toml")

    def says_types(self, message: str) -> bool:
        """Whether an exception's message speaks of two types that do not meet; places and shapes have none of ours."""
        if _WHOLE.search(message) and not _REAL.search(message):
            return False
        return any(all(word in message for word in words) for words in self.types_apart)

    @property
    def tensors(self) -> Tensors:
        """What is done with its tensors; this imports the framework."""
        return cast("Tensors", import_module(self.place))

    def drawing(self, stream: Any) -> AbstractContextManager[Any]:
        """Return what gives its draws the numbers of a stream while it is entered; nothing without `draws`."""
        if not self.draws:
            return nullcontext()
        module, _, name = self.draws.partition(":")
        found: AbstractContextManager[Any] = getattr(import_module(module), name)(stream)
        return found
