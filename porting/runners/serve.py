"""The other interpreter's end of the pipe: answers requests about one function with the runner of its framework."""

from __future__ import annotations

import inspect
import os
import signal
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from porting.backends.tf.runner import TensorFlowRunner
from porting.backends.torch.runner import TorchRunner
from porting.errors import PortingError
from porting.loading import load
from porting.runners.base import Outcome, Raised
from porting.runners.side import as_twin, given, module_kind, parameters_of
from porting.runners.wire import receive, send
from porting.workers.frames import WireError

if TYPE_CHECKING:
    from typing import IO


def serve(requests: IO[bytes], answers: IO[bytes], key: str) -> None:
    """Answer requests until the other end is gone.

    Parameters
    ----------
    requests, answers : binary streams
        The two directions.
    key : str
        ``torch`` or ``tf``.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the other end's to handle
    server = _Server(key)
    while True:
        try:
            name, *arguments = receive(requests, server.op)
        except WireError:  # the other end is gone
            answers.flush()
            os._exit(0)  # threads of the function's do not keep this process
        try:
            answer = "ok", getattr(server, name)(*arguments)
        except PortingError as error:
            answer = "error", str(error)
        try:
            send(answers, answer)
        except TypeError as error:
            send(answers, ("ok", Outcome(raised=Raised("forward", "TypeError", str(error), ""))))


class _Server:
    """The requests by name."""

    def __init__(self, key: str) -> None:
        self.key = key
        runners: Any = (TorchRunner, TensorFlowRunner)
        self.runner: Any = next(runner for runner in runners if runner.key == key)()
        self.function: Any = None
        self.op = SimpleNamespace(wrt=(), twin=lambda _: None)
        self.states: list[Any] = []

    def hello(self) -> dict[str, Any]:
        """Import the framework; say its version and what it can do, or why it cannot be imported."""
        try:
            framework = __import__(self.runner.module)
            version = framework.__version__
        except Exception as error:  # noqa: BLE001 - a broken installation raises what it likes
            return {"missing": f"{type(error).__name__}: {error}"}
        least = self.runner.oldest
        if tuple(int(part) for part in version.split(".")[:2]) < least:
            return {"missing": "its version is {}, {}.{} or later is wanted".format(version, *least)}
        lacking = self.runner.lacking()
        return {
            "version": version,
            "modes": self.runner.modes,
            "layouts": self.runner.layouts,
            "uses": tuple(use for use in self.runner.uses if use not in lacking),
            "devices": self.runner.devices(),
        }

    def load(self, what: str, target: str) -> None:
        """Load the function."""
        self.function = load(target, what)
        if module_kind(self.function) and (inspect.isclass(self.function) or _has_weights(self.function)):
            told = f"{what} {target} is a module: its parameters are compared in this interpreter only"
            raise PortingError(f"{told}; leave {what}-python out, or name a function of them")
        if not callable(self.function):
            raise PortingError(f"{what} {target} is of type {type(self.function).__name__}: a function is wanted")

    def parameters(self) -> list[tuple[str, str, Any]]:
        """Return name, kind of default (``none``, ``plain``, ``other``) and default of each argument."""
        found = []
        for name, default in parameters_of(self.key, self.function).items():
            plain = default is None or isinstance(default, (bool, int, float, str))
            kind = "none" if default is inspect.Parameter.empty else "plain" if plain else "other"
            found.append((name, kind, default if plain else None))
        return found

    def bind(
        self, inputs: tuple[str, ...], wrt: tuple[str, ...], statics: dict[str, Any], fixed: dict[str, Any]
    ) -> str:
        """Make a twin of the function; return where it stands."""
        twin = given(as_twin(self.key, self.function, inputs, statics), fixed)
        self.op.wrt, self.op.twin = wrt, lambda _: twin
        where: str = self.runner.where(self.op)
        return where

    def run(self, case: Any) -> Any:
        """Answer a case."""
        return self.runner.run(case)

    def state(self) -> int:
        """Remember the settings; return the number of the memory."""
        self.states.append(self.runner.state())
        return len(self.states) - 1

    def restore(self, number: int) -> None:
        """Put back what was remembered, and forget what was remembered since."""
        self.runner.restore(self.states[number])
        del self.states[number + 1 :]


def _has_weights(module: Any) -> bool:
    found = getattr(module, "trainable_variables", None)
    return bool(list(module.parameters()) if found is None and hasattr(module, "parameters") else found)
