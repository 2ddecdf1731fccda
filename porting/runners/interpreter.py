"""A runner whose function runs in another Python interpreter, with another version of its framework."""

import inspect
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from porting.errors import RunnerError
from porting.runners import RUNNERS
from porting.runners.base import Case, Outcome, enter
from porting.runners.process import InterpreterProcess
from porting.spec import Op

if TYPE_CHECKING:
    from porting.runners.uses import Use

STAGE: Final = "the other interpreter"  # what is announced while it works
_IMPORT: Final = 300.0  # seconds to import a framework, or the function's module


class InterpreterRunner:
    """Runs one function of one framework in another interpreter.

    Parameters
    ----------
    key : {"torch", "tf"}
        The framework.
    python : str
        The interpreter: a path, or a command of the search path.
    target : str
        The function, by a name that `porting.loading.load` takes; its module is imported in that interpreter.
    """

    def __init__(self, key: str, python: str, target: str) -> None:
        self.key = key
        self.python = python
        self.name = f"--{key}-python {python}"  # in messages
        self.target = target
        here = RUNNERS[key]
        self.module, self.title, self.mutable = here.module, here.title, here.mutable
        self._where = ""

    def missing(self) -> str | None:
        """Return `None`, after the interpreter has reported its framework.

        Raises
        ------
        RunnerError
            If it cannot be used; the message says why.
        """
        return None if self._known else ""

    def version(self) -> str:
        """Return the version of the framework there, with those of Python and NumPy."""
        return f"{self._known['version']} (Python {self._process.python}, NumPy {self._process.numpy})"

    @property
    def modes(self) -> tuple[str, ...]:
        """How it can run an op."""
        return tuple(self._known["modes"])

    @property
    def whole(self) -> tuple[str, ...]:
        """The same: the other modes are not sent there."""
        return self.modes

    @property
    def layouts(self) -> tuple[str, ...]:
        """Which memory layouts its tensors can have."""
        return tuple(self._known["layouts"])

    @property
    def uses(self) -> "tuple[Use, ...]":
        """The uses that its version of the framework has."""
        return tuple(self._known["uses"])

    def devices(self) -> dict[str, str | None]:
        """Return the devices there."""
        return dict(self._known["devices"])

    def parameters(self) -> dict[str, Any]:
        """Return names and defaults of the function's arguments, as `porting.runners.side.parameters_of` does.

        Raises
        ------
        PairError
            If the function cannot be loaded, or has no signature.
        """
        kinds = {"none": inspect.Parameter.empty, "other": NotImplemented}
        return {name: kinds.get(kind, value) for name, kind, value in self._loaded.ask("parameters")}

    def bind(
        self, inputs: tuple[str, ...], wrt: tuple[str, ...], statics: Mapping[str, Any], fixed: Mapping[str, Any]
    ) -> None:
        """Send the function's arguments: inputs, those to differentiate by, statics, and statics that are always given.

        Raises
        ------
        PairError
            If the function does not take these arguments.
        """
        plain = {name: None if callable(value) else value for name, value in statics.items()}
        self._where = self._loaded.ask("bind", inputs, wrt, plain, dict(fixed))

    def where(self, op: Op) -> str:  # noqa: ARG002 - it has one function
        """Return where the function stands."""
        return self._where

    def state(self) -> dict[str, Any]:
        """Store the settings in the other interpreter."""
        return {"number": self._loaded.ask("state")}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Put the settings back."""
        self._loaded.ask("restore", state["number"])

    def run(self, case: Case) -> Outcome:
        """Answer a case."""
        enter(STAGE)
        found: Outcome = self._loaded.ask("run", case)
        return found

    @cached_property
    def _process(self) -> InterpreterProcess:
        return InterpreterProcess(self.python, self.key, self.name)

    @cached_property
    def _known(self) -> dict[str, Any]:
        """Version, modes, layouts, uses and devices."""
        with self._process.within(_IMPORT):
            known: dict[str, Any] = self._process.ask("hello")
        if "missing" in known:
            wanted = f"give an interpreter in which {self.module} can be imported"
            raise RunnerError(f"{self.name}: no {self.title} there ({known['missing']}); {wanted}")
        return known

    @cached_property
    def _loaded(self) -> InterpreterProcess:
        """The process, with the function in it."""
        _ = self._known
        with self._process.within(_IMPORT):
            self._process.ask("load", f"--{self.key}", self.target)
        return self._process
