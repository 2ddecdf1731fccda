"""The protocol of all runners: the attributes and methods of whatever can answer a `Case`."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from porting.runners.base import Case, Outcome
from porting.spec import Op

if TYPE_CHECKING:
    from porting.runners.uses import Use


class Runner(Protocol):
    """Whatever can answer a `Case`.

    Attributes
    ----------
    key, module, title : str
        The name in commands and reports, the package to import, the name in sentences.
    modes, layouts : tuple of str
        How it can run an op, and which memory layouts besides the contiguous one its tensors can have.
    whole : tuple of str
        The modes in which every case can be asked; in the others of `modes` only value and gradient can.
    uses : tuple of str
        The ways to use an op, besides ``plain``, that it can try.
    mutable : bool
        Whether an op could overwrite a tensor that it is given.
    """

    key: str
    module: str
    title: str
    mutable: bool

    @property
    def modes(self) -> tuple[str, ...]: ...  # noqa: D102 - see above; whoever asks elsewhere has to ask first
    @property
    def whole(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def layouts(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def uses(self) -> "tuple[Use, ...]": ...  # noqa: D102

    def missing(self) -> str | None:
        """Say why this runner cannot run here and what to install, or `None` if it can. Imports nothing heavy."""

    def version(self) -> str:
        """Return the framework's version, without importing it."""

    def devices(self) -> dict[str, str | None]:
        """Map each device key to `None`, or to why it is not there; ``gpu float64`` to why that type is not there."""

    def where(self, op: Op) -> str:
        """Return ``file:line`` of the op's implementation."""

    def state(self) -> dict[str, Any]:
        """Remember the settings that an op should leave alone: grad mode, default type, seeds, threads."""

    def restore(self, state: Mapping[str, Any]) -> None:
        """Put back those settings that can be put back."""

    def run(self, case: Case) -> Outcome:
        """Answer a case. An exception of the op is part of the answer; one of the framework adapter is a bug."""
