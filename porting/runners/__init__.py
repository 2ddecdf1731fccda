"""The runners: everything that can answer a case, under one protocol. Importing this package imports no framework."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, Final

from porting.backends import BACKENDS
from porting.runners.base import Case as Case
from porting.runners.base import Outcome as Outcome
from porting.runners.base import Raised as Raised
from porting.runners.oracle import OracleRunner
from porting.runners.protocol import Runner as Runner


class _Runners(Mapping[str, Runner]):
    """One runner for the oracle and for each backend, made when it is first asked for: its module imports ours."""

    def __init__(self) -> None:
        self._made: dict[str, Runner] = {"oracle": OracleRunner()}

    def __getitem__(self, key: str) -> Runner:
        if key not in self._made:
            module, _, name = BACKENDS[key].runner.partition(":")
            self._made[key] = getattr(import_module(module), name)()
        return self._made[key]

    def __iter__(self) -> Iterator[str]:
        return iter(("oracle", *BACKENDS))

    def __len__(self) -> int:
        return 1 + len(BACKENDS)


RUNNERS: Final[Mapping[str, Runner]] = _Runners()


def runner_of(target: Any, key: str) -> Runner:
    """Return the runner for an op or a pair: its own (another interpreter, a recording), or the framework's."""
    found: Runner = target.answers.get(key) or RUNNERS[key]
    return found
